// Runs an example against the sandbox of `npm start`: npm run example savings
const USAGE = `npm run example NAME   runs an example against the sandbox that npm start runs

NAME is savings, payroll or exchange-treasury; see examples/README.md.`
const NAMES = ['savings', 'payroll', 'exchange-treasury']
const [name = '--help', ...rest] = process.argv.slice(2)

if (name === '--help') console.log(USAGE)
else if (NAMES.includes(name) && rest.length === 0) await import(`./${name}/demo.ts`)
else {
  console.error(`unknown: ${[name, ...rest].join(' ')}\n\n${USAGE}`)
  process.exitCode = 1
}
