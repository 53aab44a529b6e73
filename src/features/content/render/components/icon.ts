import type { Component } from '../component.ts'
import { iconOf } from './component-icon.ts'

export const icon: Component = {
  html: (node, context) => iconOf(node, context),
  // It says nothing that the words beside it do not.
  markdown: () => [],
}
