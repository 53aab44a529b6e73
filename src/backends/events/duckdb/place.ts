/** Where a query looks: the project by its number in the file, and whether the tail may have rows of it. */
export interface Place {
  project: number
  hasTail: boolean
}
