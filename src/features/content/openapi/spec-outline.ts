/** What navigation needs of an OpenAPI (or AsyncAPI) specification. */
export interface SpecOutline {
  title: string | null
  operations: OperationOutline[]
}

export interface OperationOutline {
  /** Upper case; `WEBHOOK` for those, `CHANNEL` for AsyncAPI's. */
  method: string
  /** As the specification writes it: `/pets/{id}`; of a webhook or channel its name. */
  path: string
  title: string
  tag: string | null
  operationId: string | null
  isDeprecated: boolean
  /** `x-hidden` or `x-excluded`. */
  isHidden: boolean
  /** The route that the specification itself asks for (`x-mint.href`). */
  href: string | null
}
