/** Prints the help on stdout and exits with 0 if --help or -h was given. */
export function handleHelpFlag(help: string): void {
  const asked = process.argv.slice(2)
  if (!asked.includes('--help') && !asked.includes('-h')) return
  process.stdout.write(`${help}\n`)
  process.exit(0)
}
