/** What pages are written in, at the end of their file's name. */
export const pageExtension = /\.mdx?$/i
