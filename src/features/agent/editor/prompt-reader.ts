/** Each opening quote with what may close it: keyboards and phones mix straight and curly ones. */
const closingQuotes: Record<string, string> = {
  '"': '"“”',
  '“': '”“"',
  '”': '”“"',
  '„': '“”"',
  "'": "'’‘",
  '‘': "’‘'",
  '’': "’‘'",
  '`': '`',
  '«': '»',
}
const apostrophes = "'’‘"

/** Goes through a prompt word by word; quoted texts are one piece whatever is in them. */
export class PromptReader {
  position = 0
  readonly #prompt: string

  constructor(prompt: string) {
    this.#prompt = prompt
  }

  isAtEnd(): boolean {
    return this.position >= this.#prompt.length
  }

  /** Takes the next word if it is one of these, in any case. Prompts wrap: it may stand on the next line. */
  word(...expected: string[]): string | null {
    const [whole, word] = this.#match(/[ \t]*(?:\r?\n[ \t]*)?([a-z]+)(?![\w/.-]*[\w/-])/iy) ?? []
    if (whole === undefined || !expected.includes(word!.toLowerCase())) return null
    this.position += whole.length
    return word!.toLowerCase()
  }

  /** Takes words as long as they are among these. */
  words(...expected: string[]): void {
    while (this.word(...expected));
  }

  isWord(...expected: string[]): boolean {
    const start = this.position
    const found = this.word(...expected) !== null
    this.position = start
    return found
  }

  isLastWord(): boolean {
    const start = this.position
    this.position += this.#match(/[ \t]*[a-z]+/iy)?.[0].length ?? 0
    const found = this.isAtSeparator()
    this.position = start
    return found
  }

  /** The text of a quoted piece; a quote or a backslash in it stands after a backslash. */
  quoted(): string | null {
    const start = this.position + this.#match(/[ \t]*(?:\r?\n[ \t]*)?/y)![0].length
    const end = this.#endOfQuoted(start)
    if (end === null) return null
    this.position = end
    return this.#prompt.slice(start + 1, end - 1).replace(/\\(["'`“”„‘’«»\\])/g, '$1')
  }

  /** A path or a key without quotes. */
  bare(): string | null {
    const [whole, found] = this.#match(/[ \t]*(?:\r?\n[ \t]*)?([^\s;,"'`“”„‘’«»]+)/y) ?? []
    const text = found?.replace(/[.!?:]+$/, '')
    if (!text) return null
    this.position += whole!.length - (found!.length - text.length)
    return text
  }

  isAtSeparator(): boolean {
    return this.isAtEnd() || this.#match(separator) !== null
  }

  /** Everything that may stand between two instructions or before the first. */
  skipSeparators(): void {
    for (let match = this.#match(leadIn); match && match[0] !== ''; match = this.#match(leadIn)) {
      this.position += match[0].length
    }
  }

  /** The part that begins here and could not be read, up to where the next one begins. */
  partFrom(start: number): string {
    this.position = start
    while (!this.isAtEnd()) {
      const end = this.#endOfQuoted(this.position)
      if (end !== null) this.position = end
      else if (this.position > start && this.#match(/;|\r?\n|[.!?](?=\s|$)|(?<!\s)\s+(?:and\s+)?then\b/iy)) break
      else this.position++
    }
    return this.#prompt.slice(start, this.position)
  }

  #endOfQuoted(start: number): number | null {
    const closing = closingQuotes[this.#prompt[start] ?? '']
    if (closing === undefined) return null
    for (let at = start + 1; at < this.#prompt.length; at++) {
      const letter = this.#prompt[at]!
      if (letter === '\\') {
        at++
        continue
      }
      if (!closing.includes(letter)) continue
      // The apostrophe in 'don't' closes nothing.
      if (apostrophes.includes(letter) && /[\p{L}\p{N}]/u.test(this.#prompt[at + 1] ?? '')) continue
      return at + 1
    }
    return null
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.position
    return pattern.exec(this.#prompt)
  }
}

const separator = /[ \t]*(?:[;,.!?]|\r?\n|$)|[ \t]+(?:and|then|&|please)\b/iy
const leadIn =
  /[\s;,.!?]+|(?:[-*+•–]|\(?\d{1,3}[.)])(?:[ \t]+\[[ xX]?\])?[ \t]+|(?:and|then|also|please|first|second|third|next|finally|lastly|now)\b[,:]?|&(?=\s)/iy
