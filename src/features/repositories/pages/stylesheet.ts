/** The look of all pages. Numbers after `t` are the kinds of token-theme.ts. */
export const stylesheet = `:root {
  color-scheme: light dark;
  --page: #ffffff; --text: #1b1f24; --soft: #59636e; --line: #d5dae0; --panel: #f5f7f9; --link: #0a5bc4;
  --good: #176f35; --bad: #b42324; --done: #6f42c1; --focus: #0a5bc4; --on: #ffffff;
  --added: #e3f6e8; --added-mark: #aee5bd; --removed: #fdeceb; --removed-mark: #f8c6c3; --warn: #fff6dd; --warn-line: #d9b44a;
  --t1: #0b4f9e; --t2: #a3277c; --t3: #1d6b3a; --t4: #66707a; --t5: #8a4b08; --t6: #0a5bc4; --t7: #1b1f24; --t8: #59636e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0f1318; --text: #e4e8ee; --soft: #9aa5b1; --line: #2d3640; --panel: #171d24; --link: #7fb5ff;
    --good: #56c878; --bad: #ff8a84; --done: #b99aff; --focus: #7fb5ff; --on: #0f1318;
    --added: #10291b; --added-mark: #1f5a37; --removed: #331a1c; --removed-mark: #72302f; --warn: #2c2612; --warn-line: #8a7226;
    --t1: #8fc1ff; --t2: #f19fd5; --t3: #8fd6a5; --t4: #8d98a4; --t5: #f0b77a; --t6: #7fb5ff; --t7: #ffffff; --t8: #9aa5b1;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.55 system-ui, sans-serif; }
a { color: var(--link); text-underline-offset: 2px; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
.skip { position: absolute; left: -9999px; }
.skip:focus { left: 1rem; top: 1rem; background: var(--page); padding: .5rem; z-index: 1; }
.top { border-bottom: 1px solid var(--line); background: var(--panel); }
.top nav { padding: .75rem 1rem; max-width: 90rem; margin: 0 auto; overflow-wrap: anywhere; }
main { padding: 1rem; max-width: 90rem; margin: 0 auto; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: .5rem 0; overflow-wrap: anywhere; }
h1 .number { color: var(--soft); font-weight: 400; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
h3, h4 { font-size: 1rem; margin: 1.25rem 0 .4rem; overflow-wrap: anywhere; }
code, pre, .diff, .branch, .id { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .86em; }
.soft { color: var(--soft); }
.state { display: inline-block; border-radius: 1rem; padding: .05rem .7rem; color: var(--on); font-size: .875rem; font-weight: 600; }
.state.open { background: var(--good); } .state.merged { background: var(--done); } .state.closed { background: var(--bad); }
.state.draft { background: var(--soft); }
.branch { background: var(--panel); border: 1px solid var(--line); border-radius: .3rem; padding: .05rem .35rem; overflow-wrap: anywhere; }
.summary { max-width: 50rem; overflow-wrap: anywhere; }
.summary code { background: var(--panel); border-radius: .3rem; padding: .05rem .3rem; }
.summary pre.code { background: var(--panel); border: 1px solid var(--line); border-radius: .4rem; padding: .75rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.summary pre.code code { background: none; padding: 0; }
.summary blockquote { margin: .5rem 0; padding-left: .9rem; border-left: 3px solid var(--line); color: var(--soft); }
.level-1 { margin-left: 1.5rem; } .level-2 { margin-left: 3rem; } .level-3 { margin-left: 4.5rem; }
.panel { border: 1px solid var(--line); background: var(--panel); border-radius: .5rem; padding: .9rem 1rem; margin: 1.25rem 0; max-width: 50rem; }
.panel p { margin: 0 0 .75rem; }
.notice { border-color: var(--warn-line); background: var(--warn); }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; }
button { font: inherit; font-weight: 600; border-radius: .4rem; border: 1px solid var(--line); padding: .5rem 1rem; min-height: 2.75rem; cursor: pointer; background: var(--page); color: var(--text); }
button.main { background: var(--good); border-color: var(--good); color: var(--on); }
ul.plain, ol.plain { list-style: none; margin: 0; padding: 0; }
.list > li { border: 1px solid var(--line); border-bottom-width: 0; padding: .7rem .9rem; overflow-wrap: anywhere; }
.list > li:first-child { border-radius: .5rem .5rem 0 0; }
.list > li:last-child { border-bottom-width: 1px; border-radius: 0 0 .5rem .5rem; }
.list > li:only-child { border-radius: .5rem; }
.list .title { font-weight: 600; }
.files li { display: flex; gap: .75rem; justify-content: space-between; flex-wrap: wrap; padding: .25rem .9rem; }
.counts { white-space: nowrap; font-variant-numeric: tabular-nums; }
.plus { color: var(--good); } .minus { color: var(--bad); }
.views { display: flex; gap: 1rem; flex-wrap: wrap; margin: .75rem 0; }
.views [aria-current] { font-weight: 700; color: var(--text); text-decoration: none; }
.file { border: 1px solid var(--line); border-radius: .5rem; margin: 1rem 0; overflow: hidden; }
.file h3 { margin: 0; padding: .55rem .9rem; background: var(--panel); border-bottom: 1px solid var(--line); display: flex; gap: .75rem; justify-content: space-between; flex-wrap: wrap; font-size: .9rem; }
.file p { margin: 0; padding: .75rem .9rem; color: var(--soft); }
.file p.odd { color: var(--text); background: var(--warn); }
.diff { width: 100%; border-collapse: collapse; table-layout: auto; line-height: 1.5; }
.diff.split { table-layout: fixed; }
.diff col.number { width: 3.6em; } .diff col.sign { width: 1.6em; }
.diff caption, .diff thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.diff td { vertical-align: top; padding: 0 .35rem; }
.diff .number { color: var(--soft); text-align: right; user-select: none; white-space: nowrap; width: 1%; min-width: 2.2em; }
.diff .sign { width: 1%; user-select: none; font-weight: 700; text-align: center; }
.diff .line { white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4; width: 100%; }
.diff.split .line { width: auto; }
tr.added td, td.added { background: var(--added); } tr.deleted td, td.deleted { background: var(--removed); }
tr.added .sign, td.sign.added { color: var(--good); } tr.deleted .sign, td.sign.deleted { color: var(--bad); }
.diff mark { color: inherit; border-radius: .15rem; background: var(--added-mark); }
tr.deleted mark, td.deleted mark { background: var(--removed-mark); }
td.none { background: var(--panel); }
.gap td { color: var(--soft); background: var(--panel); text-align: center; user-select: none; }
.unended { color: var(--soft); font-style: italic; user-select: none; }
.t1 { color: var(--t1); font-weight: 600; } .t2 { color: var(--t2); } .t3 { color: var(--t3); } .t4 { color: var(--t4); }
.t5 { color: var(--t5); } .t6 { color: var(--t6); } .t7 { color: var(--t7); font-weight: 600; } .t8 { color: var(--t8); }
@media (max-width: 40rem) {
  h1 { font-size: 1.35rem; }
  .diff { font-size: .78rem; }
  .diff td { padding: 0 .2rem; }
  .diff.unified .number:first-child { display: none; }
  .diff.unified thead th:first-child { display: none; }
  .diff.split col.number { width: 2.8em; }
}
`
