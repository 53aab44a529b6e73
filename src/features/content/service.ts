export { type CheckOptions, checkDocs, introducedProblems } from './check/check.ts'
export { type ChangesReport, checkChanges } from './check/check-changes.ts'
export type { CheckReport, Problem, ProblemRule } from './check/problem.ts'
export { type ContentDeps, checkProject } from './check-project.ts'
export { type AddedPage, addPage } from './edit/add-page.ts'
export { type DocsTree, findPage } from './edit/docs-tree.ts'
export { editNavigation, type NavigationChange, type NavigationEdit } from './edit/edit-navigation.ts'
export { type FixedLinks, fixBrokenLinks } from './edit/fix-broken-links.ts'
export { type MovedPages, movePage } from './edit/move-page.ts'
export { outlineNavigation } from './edit/outline-navigation.ts'
export { type ReplacedText, type ReplaceTextInput, replaceText } from './edit/replace-text.ts'
export { type FrontmatterEdit, type FrontmatterValue, setFrontmatter } from './edit/set-frontmatter.ts'
export { listRoutes } from './list-routes.ts'
export type { HeadDeps } from './open-head.ts'
export type { SpecOutline } from './openapi/spec-outline.ts'
export { createPageCache, type PageCache } from './parse/page-cache.ts'
export { createPageParser, type PageParser } from './parse/page-parser.ts'
export { type PageImport, type PageLink, type ParsedPage, parsePage } from './parse/parse-page.ts'
export { codeStylesheet } from './render/code/code-stylesheet.ts'
export { type CollectedInput, collectRenderInput } from './render/collect-input.ts'
export { fillTemplate } from './render/fill-template.ts'
export { findIcon } from './render/icons.ts'
export { mathStylesheet } from './render/math-stylesheet.ts'
export { createPageRenderer } from './render/page-renderer.ts'
export type {
  CodeBlock,
  Hole,
  PageFields,
  PageHeading,
  PageIndex,
  PageRenderer,
  PageSection,
  RenderedPage,
  RenderInput,
  RenderWarning,
  Template,
} from './render/rendered-page.ts'
export { rendererVersion } from './render/rendered-page.ts'
export { type DocsConfig, folderOf, joinPath } from './site/docs-config.ts'
export { labelFor } from './site/folder-navigation.ts'
export { isRightToLeft, languageName, standardLanguage } from './site/languages.ts'
export type { Navigation, NavigationEntry } from './site/navigation.ts'
export type * from './site/navigation-tree.ts'
export { safeAddress } from './site/safe-address.ts'
export { type LinkTarget, readSiteMap, type SiteMap } from './site/site-map.ts'
export { type PageSource, type ReadSiteModelOptions, readSiteModel, type SiteModel } from './site/site-model.ts'
export type { IconLibrary, SiteFont, SiteLink, SiteSettings } from './site/site-settings.ts'
