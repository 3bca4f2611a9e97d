/** A command that was asked what it takes says so on stdout, and ends well before it does anything. */
export function handleHelpFlag(help: string): void {
  const asked = process.argv.slice(2)
  if (!asked.includes('--help') && !asked.includes('-h')) return
  process.stdout.write(`${help}\n`)
  process.exit(0)
}
