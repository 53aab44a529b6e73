/** What formulas need of a stylesheet: classes that `renderMath` made of styles, and those that temml counts on. */
export const mathStylesheet = `math{font-family:"Cambria Math","STIX Two Math","Latin Modern Math","Noto Sans Math",math;font-style:normal;font-weight:400;line-height:normal;letter-spacing:normal;text-indent:0}
math *{border-color:currentColor}
.math[data-display]{margin:1rem 0;overflow-x:auto;overflow-y:hidden}
math.tml-display{display:block math;width:100%}
.tml-right{text-align:right;text-align:-webkit-right}
.tml-left{text-align:left;text-align:-webkit-left}
mtable.tml-jot>mtr>mtd{padding-top:.7ex;padding-bottom:.7ex}
mtable.tml-small mtd{padding-top:.35ex;padding-bottom:.35ex}
.math-flush-left{padding-left:0}
.math-flush-right{padding-right:0}
.math-top{border-top:.06em solid}
.math-bottom{border-bottom:.06em solid}
.math-left{border-left:.06em solid}
.math-right{border-right:.06em solid}
.math-box{border:1px solid;padding:3pt}
.math-bold{font-weight:700}
.math-wide{width:100%}
.math-half{width:50%;padding:0}
menclose{position:relative;padding:.5ex 0}
.tml-cancel{display:inline-block;position:absolute;left:.5px;bottom:0;width:100%;height:100%;background-color:currentColor}
.tml-cancel.upstrike{clip-path:polygon(.05em 100%,0 calc(100% - .05em),calc(100% - .05em) 0,100% .05em)}
.tml-cancel.downstrike{clip-path:polygon(0 .05em,.05em 0,100% calc(100% - .05em),calc(100% - .05em) 100%)}
.tml-cancel.sout{clip-path:polygon(0 calc(55% + .03em),0 calc(55% - .03em),100% calc(55% - .03em),100% calc(55% + .03em))}
.tml-overline{padding:.1em 0 0;border-top:.065em solid}
.tml-underline{padding:0 0 .1em;border-bottom:.065em solid}
.tml-fbox{padding:3pt;border:1px solid}
code.math-error{text-decoration:underline wavy}
`
