#!/usr/bin/env node
import { startAgent } from './agent.ts'
import { ConfigError, readConfig } from './config.ts'

/**
 * `weir-agent`: settings → parts → work. stdout carries the one line `ready http://HOST:PORT` (health and metrics) when
 * work is asked for; the log is on stderr.
 */
try {
  const agent = await startAgent(readConfig(process.env))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, agent.stop)
  process.stdout.write(`ready ${agent.statusUrl}\n`)
  await agent.ended
  process.exit(0)
} catch (error) {
  const lines = error instanceof ConfigError ? error.problems : [error instanceof Error ? error.message : String(error)]
  for (const line of lines) process.stderr.write(`${line}\n`)
  process.exit(1)
}
