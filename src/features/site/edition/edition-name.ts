import { rendererVersion } from '#features/content/service.ts'

export interface EditionPlace {
  commit: string
  docsPath: string
}

/** What an edition is kept under: another renderer makes another edition of the same commit. */
export function editionName({ commit, docsPath }: EditionPlace): string {
  return `${commit} ${rendererVersion} ${docsPath}`
}

export function parseEditionName(name: string): EditionPlace {
  const [commit = '', , ...path] = name.split(' ')
  return { commit, docsPath: path.join(' ') }
}
