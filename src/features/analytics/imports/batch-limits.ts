// Apart from the schema: whoever only sends batches need not load what checks them.

/** Rows of one batch: so many that their cost outweighs the request's, so few that others are not kept waiting. */
export const mostRows = 25_000
/** Distinct texts a row can bring: address, user agent, path, referrer and two headers. */
export const mostTexts = 6 * mostRows
/** User agents, paths and referrers are cut or refused well below this. */
export const mostTextLength = 8_192
/** A batch is sent when its texts are this long together, in bytes; escaped in JSON they may take six times as much. */
export const mostTextTotal = 1.5 * 1024 * 1024
export const mostImportBytes = 16 * 1024 * 1024
