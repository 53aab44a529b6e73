import type { LanguageRegistration } from 'shiki/core'

/** Policies of Open Policy Agent, which shiki has no grammar for. */
export const regoGrammar: LanguageRegistration = {
  name: 'rego',
  scopeName: 'source.rego',
  repository: {},
  patterns: [
    { match: '#.*$', name: 'comment.line.number-sign.rego' },
    { begin: '`', end: '`', name: 'string.quoted.other.raw.rego' },
    {
      begin: '"',
      end: '"|$',
      name: 'string.quoted.double.rego',
      patterns: [{ match: '\\\\(?:["\\\\/bfnrt]|u[0-9a-fA-F]{4})', name: 'constant.character.escape.rego' }],
    },
    {
      match: '\\b(?:package|import|as|default|not|with|some|every|in|if|else|contains)\\b',
      name: 'keyword.control.rego',
    },
    { match: '\\b(?:true|false|null)\\b', name: 'constant.language.rego' },
    { match: '\\b(?:input|data)\\b', name: 'variable.language.rego' },
    { match: '\\b\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?\\b', name: 'constant.numeric.rego' },
    { match: '[A-Za-z_]\\w*(?:\\.[A-Za-z_]\\w*)*(?=\\()', name: 'entity.name.function.rego' },
    { match: ':=|==|!=|<=|>=|[=<>+*/%|&-]', name: 'keyword.operator.rego' },
    { match: '[\\[\\](){},;:.]', name: 'punctuation.rego' },
  ],
}
