// Diagrams: drawn from their text by a script that only pages with diagrams load.
const diagrams = $$('pre.mermaid')
// What a diagram's text may not set: with styles of its own it could lie over the whole page.
const secure = [
  'secure',
  'securityLevel',
  'startOnLoad',
  'maxTextSize',
  'maxEdges',
  'suppressErrorRendering',
  'themeCSS',
  'fontFamily',
  'altFontFamily',
]
// As plain numbers, which is all that mermaid reads: our colours are mixed of others.
const colorsOf = (names) => {
  const brush = make('canvas', { width: 1, height: 1 }).getContext('2d', { willReadFrequently: true })
  const sample = document.body.appendChild(make('span'))
  const colors = names.map((name) => {
    sample.style.color = `var(${name})`
    brush.fillStyle = getComputedStyle(sample).color
    brush.fillRect(0, 0, 1, 1)
    return `#${[...brush.getImageData(0, 0, 1, 1).data.slice(0, 3)].map((part) => part.toString(16).padStart(2, '0')).join('')}`
  })
  sample.remove()
  return colors
}
if (page.mermaid && diagrams.length > 0) {
  const texts = diagrams.map((diagram) => diagram.textContent)
  const draw = async () => {
    const { mermaid } = window
    const [line, text, strong, panel, raised, accent] = colorsOf([
      '--soft',
      '--text',
      '--strong',
      '--panel',
      '--raised',
      '--accent',
    ])
    const themeVariables = {
      darkMode: isDark(),
      background: panel,
      primaryColor: raised,
      primaryTextColor: strong,
      primaryBorderColor: accent,
      lineColor: line,
      textColor: text,
      mainBkg: raised,
      nodeBorder: accent,
      clusterBkg: panel,
      clusterBorder: line,
      edgeLabelBackground: panel,
      fontSize: '14px',
      fontFamily: getComputedStyle(document.body).fontFamily,
    }
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: 'strict',
      secure,
      theme: 'base',
      themeVariables,
      suppressErrorRendering: true,
    })
    for (const [index, diagram] of diagrams.entries()) {
      try {
        const { svg } = await mermaid.render(`docent-diagram-${index}`, texts[index])
        // Sanitised by mermaid, which is strict here; and no script runs under the page's policy.
        diagram.innerHTML = svg
      } catch (error) {
        diagram.textContent = texts[index]
        if (!diagram.nextElementSibling?.matches('.mermaid-error'))
          diagram.after(
            make('p', { class: 'mermaid-error' }, `This diagram could not be drawn: ${error.message?.split('\n')[0]}`),
          )
      }
      diagram.dataset.processed = ''
    }
  }
  const script = make('script', { src: page.mermaid })
  script.addEventListener('load', () => {
    draw()
    addEventListener('docent:theme', draw)
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw)
  })
  script.addEventListener('error', () => diagrams.forEach((diagram) => (diagram.dataset.processed = '')))
  document.head.append(script)
}
