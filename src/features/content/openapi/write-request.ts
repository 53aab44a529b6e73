import {
  goText,
  javaScriptValue,
  phpText,
  phpValue,
  pythonText,
  pythonValue,
  quoted,
  rubyText,
  shellText,
} from './code-literals.ts'
import type { SampleBody, SampleRequest } from './sample-request.ts'

export interface RequestLanguage {
  /** What it is coloured as. */
  language: string
  title: string
  write(request: SampleRequest): string
}

/** By name, as sites ask for them. */
const languages = {
  curl: { language: 'bash', title: 'cURL', write: writeCurl },
  python: { language: 'python', title: 'Python', write: writePython },
  javascript: { language: 'javascript', title: 'JavaScript', write: writeJavaScript },
  php: { language: 'php', title: 'PHP', write: writePhp },
  go: { language: 'go', title: 'Go', write: writeGo },
  java: { language: 'java', title: 'Java', write: writeJava },
  ruby: { language: 'ruby', title: 'Ruby', write: writeRuby },
} satisfies Record<string, RequestLanguage>

const otherNames: Record<string, keyof typeof languages> = Object.assign(Object.create(null), {
  ...{ bash: 'curl', shell: 'curl', sh: 'curl', py: 'python', js: 'javascript', node: 'javascript' },
  ...{
    nodejs: 'javascript',
    typescript: 'javascript',
    ts: 'javascript',
    fetch: 'javascript',
    golang: 'go',
    rb: 'ruby',
  },
})

const usual = ['curl', 'python', 'javascript'] as const

/** Those that are asked for, as far as there are such; the usual ones when none is. */
export function requestLanguages(asked: string[]): (RequestLanguage & { name: string })[] {
  const names = asked.slice(0, 30).flatMap((name) => languageName(name) ?? [])
  return [...new Set(names.length > 0 ? names : usual)].map((name) => ({ name, ...languages[name] }))
}

export function languageName(name: string): keyof typeof languages | null {
  const lower = name.trim().toLowerCase()
  if (Object.hasOwn(languages, lower)) return lower as keyof typeof languages
  return otherNames[lower] ?? null
}

function writeCurl({ method, url, headers, body }: SampleRequest): string {
  const lines = [`curl --request ${method}`, `--url ${shellText(url)}`]
  for (const [name, value] of headers) lines.push(`--header ${shellText(`${name}: ${value}`)}`)
  if (body?.kind === 'multipart') {
    for (const { name, value, isFile } of body.fields) {
      lines.push(`--form ${shellText(`${name}=${isFile ? '@' : ''}${value}`)}`)
    }
  } else if (body?.kind === 'form') {
    for (const [name, value] of body.fields) lines.push(`--data-urlencode ${shellText(`${name}=${value}`)}`)
  } else if (body) lines.push(`--data ${shellText(bodyText(body))}`)
  return lines.join(' \\\n  ')
}

function writePython({ method, url, headers, body }: SampleRequest): string {
  const lines = ['import requests', '', `url = ${pythonText(url)}`]
  const given: string[] = []
  if (headers.length > 0) {
    lines.push(`headers = ${pythonValue(Object.fromEntries(headers))}`)
    given.push('headers=headers')
  }
  if (body?.kind === 'json') {
    lines.push(`payload = ${pythonValue(body.value)}`)
    given.unshift('json=payload')
  } else if (body?.kind === 'form') {
    lines.push(`payload = ${pythonValue(Object.fromEntries(body.fields))}`)
    given.unshift('data=payload')
  } else if (body?.kind === 'multipart') {
    const files = body.fields.filter(({ isFile }) => isFile)
    const texts = body.fields.filter(({ isFile }) => !isFile)
    if (texts.length > 0) {
      lines.push(`payload = ${pythonValue(Object.fromEntries(texts.map(({ name, value }) => [name, value])))}`)
      given.unshift('data=payload')
    }
    const opened = files.map(({ name, value }) => `    ${pythonText(name)}: open(${pythonText(value)}, "rb"),`)
    lines.push('files = {', ...opened, '}')
    given.unshift('files=files')
  } else if (body) {
    lines.push(`payload = ${pythonText(body.text)}`)
    given.unshift('data=payload')
  }
  const call = `requests.request(${[pythonText(method), 'url', ...given].join(', ')})`
  return [...lines, '', `response = ${call}`, '', 'print(response.text)'].join('\n')
}

function writeJavaScript({ method, url, headers, body }: SampleRequest): string {
  const lines: string[] = []
  const options = [`  method: ${quoted(method)},`]
  if (headers.length > 0) {
    options.push('  headers: {', ...headers.map(([name, value]) => `    ${quoted(name)}: ${quoted(value)},`), '  },')
  }
  if (body?.kind === 'json') options.push(`  body: JSON.stringify(${javaScriptValue(body.value, '  ')}),`)
  else if (body?.kind === 'form') {
    options.push('  body: new URLSearchParams({')
    options.push(...body.fields.map(([name, value]) => `    ${quoted(name)}: ${quoted(value)},`), '  }),')
  } else if (body?.kind === 'multipart') {
    lines.push('const form = new FormData()')
    for (const { name, value, isFile } of body.fields) {
      lines.push(`form.append(${quoted(name)}, ${isFile ? 'file' : quoted(value)})`)
    }
    lines.push('')
    options.push('  body: form,')
  } else if (body) options.push(`  body: ${quoted(body.text)},`)
  return [
    ...lines,
    `const response = await fetch(${quoted(url)}, {`,
    ...options,
    '})',
    '',
    'console.log(await response.text())',
  ].join('\n')
}

function writeGo({ method, url, headers, body }: SampleRequest): string {
  const text = flatText(body)
  const imports = ['fmt', 'io', 'net/http', ...(text === null ? [] : ['strings'])]
  return [
    'package main',
    '',
    'import (',
    ...imports.map((name) => `\t"${name}"`),
    ')',
    '',
    'func main() {',
    ...(text === null ? [] : [`\tpayload := strings.NewReader(${goText(text)})`]),
    `\treq, _ := http.NewRequest(${quoted(method)}, ${quoted(url)}, ${text === null ? 'nil' : 'payload'})`,
    ...allHeaders(headers, body).map(([name, value]) => `\treq.Header.Add(${quoted(name)}, ${quoted(value)})`),
    '',
    '\tres, err := http.DefaultClient.Do(req)',
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    '\tdefer res.Body.Close()',
    '\tbody, _ := io.ReadAll(res.Body)',
    '\tfmt.Println(string(body))',
    '}',
  ].join('\n')
}

function writePhp({ method, url, headers, body }: SampleRequest): string {
  const lines = [
    '<?php',
    '',
    '$curl = curl_init();',
    '',
    'curl_setopt_array($curl, [',
    `    CURLOPT_URL => ${phpText(url)},`,
    '    CURLOPT_RETURNTRANSFER => true,',
    `    CURLOPT_CUSTOMREQUEST => ${phpText(method)},`,
  ]
  if (body?.kind === 'json') lines.push(`    CURLOPT_POSTFIELDS => json_encode(${phpValue(body.value, '    ')}),`)
  else if (body?.kind === 'multipart') {
    lines.push('    CURLOPT_POSTFIELDS => [')
    for (const { name, value, isFile } of body.fields) {
      lines.push(`        ${phpText(name)} => ${isFile ? `new CURLFile(${phpText(value)})` : phpText(value)},`)
    }
    lines.push('    ],')
  } else if (body) lines.push(`    CURLOPT_POSTFIELDS => ${phpText(bodyText(body))},`)
  if (headers.length > 0) {
    lines.push('    CURLOPT_HTTPHEADER => [')
    lines.push(...headers.map(([name, value]) => `        ${phpText(`${name}: ${value}`)},`), '    ],')
  }
  return [...lines, ']);', '', '$response = curl_exec($curl);', 'curl_close($curl);', '', 'echo $response;'].join('\n')
}

function writeJava({ method, url, headers, body }: SampleRequest): string {
  // Over several lines it would be one long line of escapes.
  const text = body?.kind === 'json' ? JSON.stringify(body.value) : flatText(body)
  const publisher = text === null ? 'noBody()' : `ofString(${quoted(text)})`
  return [
    'HttpRequest request = HttpRequest.newBuilder()',
    `    .uri(URI.create(${quoted(url)}))`,
    ...allHeaders(headers, body).map(([name, value]) => `    .header(${quoted(name)}, ${quoted(value)})`),
    `    .method(${quoted(method)}, HttpRequest.BodyPublishers.${publisher})`,
    '    .build();',
    '',
    'HttpResponse<String> response = HttpClient.newHttpClient()',
    '    .send(request, HttpResponse.BodyHandlers.ofString());',
    'System.out.println(response.body());',
  ].join('\n')
}

function writeRuby({ method, url, headers, body }: SampleRequest): string {
  const text = flatText(body)
  const name = method.charAt(0) + method.slice(1).toLowerCase()
  return [
    "require 'net/http'",
    "require 'uri'",
    '',
    `url = URI(${rubyText(url)})`,
    `request = Net::HTTP::${name}.new(url)`,
    ...allHeaders(headers, body).map(([header, value]) => `request[${rubyText(header)}] = ${rubyText(value)}`),
    ...(text === null ? [] : [`request.body = ${rubyText(text)}`]),
    '',
    "response = Net::HTTP.start(url.host, url.port, use_ssl: url.scheme == 'https') do |http|",
    '  http.request(request)',
    'end',
    '',
    'puts response.read_body',
  ].join('\n')
}

const json = (value: unknown): string => JSON.stringify(value, null, 2)

function bodyText(body: Exclude<SampleBody, { kind: 'multipart' }>): string {
  if (body.kind === 'json') return json(body.value)
  return body.kind === 'form' ? new URLSearchParams(body.fields).toString() : body.text
}

const boundary = 'boundary'

/** The body as it goes over the wire. */
function flatText(body: SampleBody | null): string | null {
  if (body?.kind !== 'multipart') return body && bodyText(body)
  const parts = body.fields.map(({ name, value, isFile }) => {
    const file = isFile ? `; filename="${value}"` : ''
    return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${isFile ? '<file>' : value}\r\n`
  })
  return `${parts.join('')}--${boundary}--\r\n`
}

function allHeaders(headers: SampleRequest['headers'], body: SampleBody | null): SampleRequest['headers'] {
  return body?.kind === 'multipart'
    ? [...headers, ['Content-Type', `multipart/form-data; boundary=${boundary}`]]
    : headers
}
