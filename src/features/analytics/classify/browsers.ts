// What every browser with a window of the last twenty years writes: its engine.
const engine = /\b(AppleWebKit|KHTML|Gecko|Trident|MSIE|Presto|Goanna|NetFront|EdgeHTML)\b/
const start = /^(Mozilla\/\d|Opera\/\d)/
// Browsers for a terminal, for old machines and for phones with keys, which write their own name.
const others =
  /^(Lynx|w3m|Links|ELinks|Dillo|NetSurf|Amaya|IBrowse|Amiga|UCWEB|Nokia|SAMSUNG-|SonyEricsson|LG-|BlackBerry|MOT-|Opera Mini|Surf\/|NCSA_Mosaic|Konqueror)/i

/** Whether a user agent is written as a browser writes it. Programs can write the same. */
export function looksLikeBrowser(userAgent: string): boolean {
  return (start.test(userAgent) && engine.test(userAgent)) || others.test(userAgent)
}

// The comment of an Android phone with its model and build, which may have a pair of parentheses inside: `Moto G (4)`.
const androidDevice = /\(Linux;(?: U;)? Android [^()]{0,200}(?:\([^()]{0,50}\)[^()]{0,100})?\)/
// Browsers and apps of people that user-agent lists take for something else by a part of their name.
const appNames = /\b(SogouMSE|SogouMobileBrowser|MetaIAB Facebook|Viber|Sonic Slack_SSB|Fluid)\b/g

/**
 * A browser's user agent without the names of phones, browsers and apps, so that a list that knows a bot called
 * Butterfly does not make one of the phone.
 */
export function withoutDevices(userAgent: string): string {
  return userAgent.replace(androidDevice, '(Linux; Android)').replace(appNames, '')
}
