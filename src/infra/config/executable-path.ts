/** Where child programs are looked for; the one thing of our environment that a child inherits. */
export function executablePath(): string {
  return process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin'
}
