import { check } from './check.ts'
import { deleteFile } from './delete.ts'
import { edit } from './edit.ts'
import { finish } from './finish.ts'
import { fixLinks } from './fix-links.ts'
import { list } from './list.ts'
import { move } from './move.ts'
import { navigation } from './navigation.ts'
import { read } from './read.ts'
import { replace } from './replace.ts'
import { revert } from './revert.ts'
import { search } from './search.ts'
import type { AgentTool } from './tool.ts'
import { write } from './write.ts'

/** What a model can call, in the order in which it is told. A new one is a file and a line here. */
export const tools: AgentTool[] = [
  list,
  search,
  read,
  edit,
  write,
  replace,
  move,
  deleteFile,
  revert,
  navigation,
  fixLinks,
  check,
  finish,
]
