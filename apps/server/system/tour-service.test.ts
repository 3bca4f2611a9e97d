import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SETTINGS } from '../src/config.ts'
import { startProgram } from '../testing/child-program.ts'
import { processesOf } from './service-process.ts'

test('a tour starts its service without any setting exported by its caller', async () => {
  // With any of these, the service would exit immediately or work on someone's real data.
  const exported = Object.values(SETTINGS).map(({ name }) => [name, 'no value of a tour'])
  const program = startProgram('tour-service', [], {
    env: { ...Object.fromEntries(exported), DATABASE_URL: 'postgres://127.0.0.1:1/real', SERVICE_ENV: 'live' },
  })
  const ended = new Promise((resolve) => program.process.once('close', resolve))
  const { folder, networks } = JSON.parse((await program.line('served ')).slice('served '.length))
  expect(networks).toEqual(['ethereum', 'polygon', 'base', 'solana'])
  expect(await ended).toBe(0)
  expect(existsSync(folder)).toBe(false)
  expect(await processesOf(folder)).toEqual([])
})
