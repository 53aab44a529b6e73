/** What navigation needs of an OpenAPI (or AsyncAPI) specification. */
export interface SpecOutline {
  title: string | null
  operations: OperationOutline[]
}

export interface OperationOutline {
  /** Upper case; `WEBHOOK` for those, `CHANNEL` for AsyncAPI's, `SCHEMA` for a schema, which has a page only where one asks for it. */
  method: string
  /** As the specification writes it: `/pets/{id}`; of a webhook, channel or schema its name. */
  path: string
  title: string
  tag: string | null
  /** What the group of that tag is called, if not like it (`x-group`). */
  groupTitle?: string
  operationId: string | null
  isDeprecated: boolean
  /** Not in the navigation (`x-hidden`). What is not to be shown at all (`x-excluded`) is no operation. */
  isHidden: boolean
  /** The route that the specification itself asks for (`x-mint.href`). */
  href: string | null
}
