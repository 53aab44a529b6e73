// As their speakers write them. The codes are those that sites use, some of which are countries'.
const names: Record<string, string> = {
  ar: 'العربية',
  bg: 'Български',
  bn: 'বাংলা',
  ca: 'Català',
  cn: '简体中文',
  cs: 'Čeština',
  da: 'Dansk',
  de: 'Deutsch',
  el: 'Ελληνικά',
  en: 'English',
  es: 'Español',
  et: 'Eesti',
  fa: 'فارسی',
  fi: 'Suomi',
  fr: 'Français',
  'fr-ca': 'Français (Canada)',
  he: 'עברית',
  hi: 'हिन्दी',
  hr: 'Hrvatski',
  hu: 'Magyar',
  id: 'Bahasa Indonesia',
  it: 'Italiano',
  ja: '日本語',
  'ja-jp': '日本語',
  jp: '日本語',
  ko: '한국어',
  lt: 'Lietuvių',
  lv: 'Latviešu',
  nl: 'Nederlands',
  no: 'Norsk',
  pl: 'Polski',
  pt: 'Português',
  'pt-br': 'Português (Brasil)',
  ro: 'Română',
  ru: 'Русский',
  sk: 'Slovenčina',
  sl: 'Slovenščina',
  sr: 'Српски',
  sv: 'Svenska',
  th: 'ไทย',
  tr: 'Türkçe',
  uk: 'Українська',
  ur: 'اردو',
  uz: 'Oʻzbekcha',
  vi: 'Tiếng Việt',
  zh: '简体中文',
  'zh-cn': '简体中文',
  'zh-hans': '简体中文',
  'zh-hant': '繁體中文',
  'zh-tw': '繁體中文',
}
const rightToLeft = new Set(['ar', 'arc', 'ckb', 'dv', 'fa', 'he', 'ks', 'ps', 'sd', 'ug', 'ur', 'yi'])
// What browsers and screen readers know in place of what sites write.
const standardCodes: Record<string, string> = { cn: 'zh-CN', jp: 'ja' }

/** The name of a language in that language; of an unknown one, its code. */
export function languageName(code: string): string {
  const known = names[code.toLowerCase()]
  if (known !== undefined && Object.hasOwn(names, code.toLowerCase())) return known
  try {
    const name = new Intl.DisplayNames([code], { type: 'language', fallback: 'none' }).of(code)
    return name === undefined ? code : name.charAt(0).toLocaleUpperCase(code) + name.slice(1)
  } catch {
    return code
  }
}

export function isRightToLeft(code: string): boolean {
  return rightToLeft.has(code.toLowerCase().split('-')[0]!)
}

/** The code as `lang` of a page wants it. */
export function standardLanguage(code: string): string {
  const lower = code.toLowerCase()
  return Object.hasOwn(standardCodes, lower) ? standardCodes[lower]! : code
}
