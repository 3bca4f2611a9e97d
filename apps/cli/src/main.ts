import { run } from './run.ts'
import { openShell } from './shell.ts'

process.exitCode = await run(process.argv.slice(2), openShell())
