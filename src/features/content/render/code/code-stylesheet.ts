import { tokenKinds } from './token-kinds.ts'

const faces = { bold: 'font-weight:600', italic: 'font-style:italic', underline: 'text-decoration:underline' }

const tokens = tokenKinds
  .map(({ light, dark, face }, kind) => {
    const selector = kind === 0 ? '.code-block code' : `.t${kind}`
    return `${selector}{color:${light};color:light-dark(${light},${dark})${face ? `;${faces[face]}` : ''}}`
  })
  .join('\n')

/**
 * Colours of code, and how lines of it are marked. Which theme holds is said by `color-scheme`, on the root or anywhere
 * around the block.
 */
export const codeStylesheet = `${tokens}
.code-block .line{display:block;border-left:3px solid transparent;margin:0 -1rem;padding:0 1rem 0 calc(1rem - 3px)}
.code-block .line.highlighted{background:#3b82f61f;border-left-color:#3b82f6}
.code-block .line.added{background:#22c55e24;border-left-color:#16a34a}
.code-block .line.removed{background:#ef444424;border-left-color:#dc2626}
.code-block .line.warning{background:#f59e0b24;border-left-color:#d97706}
.code-block .line.error{background:#ef444424;border-left-color:#dc2626}
.code-block[data-focus]:not(:hover,:focus-within) .line:not(.focused),.code-block[data-focus]:not(:hover,:focus-within) .line:not(.focused) *{color:#5b6472;color:light-dark(#5b6472,#9aa4b2)}
.code-block[data-lines] code{counter-reset:line}
.code-block[data-lines] .line::before{counter-increment:line;content:counter(line);display:inline-block;width:2ch;margin-right:1.5ch;text-align:right;color:#5b6472;color:light-dark(#5b6472,#9aa4b2);user-select:none}
`
