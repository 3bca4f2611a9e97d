/** A command that takes no arguments refuses them before it does anything: what is ignored was meant as something. */
export function refuseArguments(command: string): void {
  const given = process.argv.slice(2)
  if (given.length === 0) return
  process.stderr.write(`${command} takes no arguments, and was given ${given.join(' ')}; --help tells what it takes\n`)
  process.exit(1)
}
