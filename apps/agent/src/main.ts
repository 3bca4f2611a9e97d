#!/usr/bin/env node
import { allowListJson } from '@weir/verify'
import { ConfigError, readAllowList, readConfig } from './config.ts'

const USAGE = `weir-agent             runs the agent (docs/agent.md); also weir agent, in a clone npm run agent
weir-agent allow-list  prints the list of chains, tokens and venues in use; also weir agent allow-list
weir-agent --help      prints this

Settings are environment variables (docs/agent-settings.md). In sandbox these two are enough:
  WEIR_API_KEY         the organization's API key
  KEYSTORE_PASSPHRASE  opens the local keys`
const HELP = ['--help', '-h', 'help']

/**
 * `weir-agent`: settings → parts → work. Prints the one line `ready http://HOST:PORT` (health and metrics) on stdout once
 * it polls for work; logs go to stderr.
 */
async function run([command, ...more]: readonly string[]): Promise<void> {
  if (more.length > 0) throw new ConfigError([`${command} takes no arguments: ${more.join(' ')}`, '', USAGE])
  if (command === 'allow-list') {
    const list = allowListJson(readAllowList(process.env))
    return void process.stdout.write(`${JSON.stringify(list, null, 2)}\n`)
  }
  if (command !== undefined && HELP.includes(command)) return void process.stdout.write(`${USAGE}\n`)
  if (command !== undefined) throw new ConfigError([`there is no command ${command}`, '', USAGE])
  const config = readConfig(process.env)
  // Loaded late, so that --help and wrong settings get an immediate response.
  const { startAgent } = await import('./agent.ts')
  const agent = await startAgent(config)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, agent.stop)
  process.stdout.write(`ready ${agent.statusUrl}\n`)
  await agent.ended
}

try {
  await run(process.argv.slice(2))
  process.exit(0)
} catch (error) {
  const lines = error instanceof ConfigError ? error.problems : [error instanceof Error ? error.message : String(error)]
  for (const line of lines) process.stderr.write(`${line}\n`)
  process.exit(1)
}
