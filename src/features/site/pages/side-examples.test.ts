import { expect, test } from 'vitest'
import { takeExamples } from './side-examples.ts'

const request =
  '<div class="example" data-example="request"><div><pre><code>a &lt;div&gt;</code></pre><br><img alt="></div>"></div></div>'
const panel = '<div class="panel" data-panel=""><p>Beside</p></div>'

test.each([
  ['<p>Nothing here</p>', '<p>Nothing here</p>', ''],
  [`<p>a</p>${request}<p>b</p>`, '<p>a</p><p>b</p>', request],
  [`${request}<hr>${panel}<p>b</p>`, '<hr><p>b</p>', request + panel],
  // A part of something else stays where it is.
  [`<div class="tabs">${request}</div>`, `<div class="tabs">${request}</div>`, ''],
])('examples are taken out of %s whole, and the rest stays', (body, rest, examples) => {
  expect(takeExamples(body)).toEqual({ body: rest, examples })
})
