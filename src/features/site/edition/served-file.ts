import type { SiteModel } from '#features/content/service.ts'

// What readers get as it is. No pages, which are shown instead; nothing that a browser would run as part of the site, and nothing of a program's own files:
// the docs may lie at the root of a repository that is nobody's business.
const servedExtensions = new Set(
  (
    'png jpg jpeg gif svg webp avif apng ico bmp tif tiff ' +
    'mp4 webm ogv mov m4v mp3 wav ogg oga m4a flac aac vtt srt ' +
    'woff woff2 ttf otf eot ' +
    'pdf txt csv tsv json jsonl yaml yml xml rss atom ics epub ipynb ' +
    'doc docx xls xlsx ppt pptx odt ods odp zip gz tgz xz bz2 7z tar drawio excalidraw'
  ).split(' '),
)
// Of those, what tools and people keep their own business in.
const privateNames =
  /^(?:package(?:-lock)?|composer|tsconfig.*|jsconfig|biome|renovate|vercel|netlify|firebase|turbo|lerna|nx|deno|components)\.json$|^(?:pnpm-lock|docker-compose.*|compose.*|mkdocs|_config|pubspec|codecov|cloudbuild|serverless)\.ya?ml$|^requirements.*\.txt$|secret|credential|passw(?:or)?d|private[-_]?key|service[-_]?account|^id_[rd]sa/i
// GitBook keeps its images in a folder of its own.
const unservedFolders = /(?:^|\/)(?:\.(?!gitbook\/assets\/)[^/]*|node_modules)\//i
const isImage = /\.(?:png|jpe?g|gif|svg|webp|avif)$/i

/** Whether a file of the repository is given to anybody who asks for it. */
export function isServedFile(path: string, model: SiteModel): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (name.startsWith('.') || unservedFolders.test(path)) return false
  const dot = name.lastIndexOf('.')
  if (dot <= 0 || !servedExtensions.has(name.slice(dot + 1).toLowerCase())) return false
  if (privateNames.test(name) && !isImage.test(name)) return false
  return !model.map.config?.files.has(path) && !/^(?:docs|mint)\.json$/.test(path) && !model.map.isIgnored(path)
}
