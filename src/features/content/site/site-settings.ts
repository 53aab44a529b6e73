/** How a site looks and what stands around its pages: the fields of docs.json and mint.json that are not navigation. */
export interface SiteSettings {
  name: string | null
  description: string | null
  /** `#rrggbb`, checked: they are written into a stylesheet. */
  colors: {
    primary: string
    light: string
    dark: string
    backgroundLight: string | null
    backgroundDark: string | null
  }
  /** Addresses as written: resolved like links of the root's pages. */
  logo: { light: string; dark: string; href: string | null } | null
  favicon: { light: string; dark: string } | null
  /** Names of font families that readers may have, or files of the repository; nothing is fetched from elsewhere. */
  fonts: { body: SiteFont | null; heading: SiteFont | null }
  appearance: { default: 'system' | 'light' | 'dark'; isFixed: boolean }
  banner: { content: string; isDismissible: boolean } | null
  navbar: { links: SiteLink[]; primary: (SiteLink & { type: 'button' | 'github' | 'discord' }) | null }
  footer: { socials: { name: string; href: string }[]; columns: { header: string | null; items: SiteLink[] }[] }
  icons: IconLibrary
  eyebrow: 'section' | 'breadcrumbs'
  /** Names and contents of meta elements. */
  metatags: [name: string, content: string][]
  /** `all`: pages outside the navigation are listed for search engines too. */
  indexing: 'navigable' | 'all'
  searchPrompt: string | null
  notFound: { redirectHome: boolean; title: string | null; description: string | null }
  api: {
    /** Specifications that pages with `openapi: GET /x` may mean, as written. */
    openapi: string[]
    asyncapi: string[]
    baseUrls: string[]
    /** How `api: GET /x` pages say to sign in. */
    auth: { method: 'bearer' | 'basic' | 'key' | 'cobo' | 'none'; name: string | null } | null
    /** Languages of request examples, in order. */
    exampleLanguages: string[]
  }
  variables: Record<string, string>
}

export type IconLibrary = 'fontawesome' | 'lucide' | 'tabler'

export interface SiteFont {
  family: string
  /** A file of the repository, as written. */
  source: string | null
  weight: string | null
}

export interface SiteLink {
  label: string
  href: string
  icon: string | null
}
