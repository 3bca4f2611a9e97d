/** Exits with 1 if the command got arguments: an ignored argument would surprise its user. */
export function refuseArguments(command: string): void {
  const given = process.argv.slice(2)
  if (given.length === 0) return
  process.stderr.write(`${command} takes no arguments, but got ${given.join(' ')}; see --help\n`)
  process.exit(1)
}
