import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import pg from 'pg'
import { expect, test } from 'vitest'
import { attributeToSetting } from './attribute-to-setting.ts'

test('an unavailable database is reported with the setting that names it, even if its name has two addresses', async () => {
  const connect = () => new pg.Client({ connectionString: 'postgres://user:very-secret@localhost:1/none' }).connect()
  const error = (await attributeToSetting('DATABASE_URL', connect).catch((thrown: unknown) => thrown)) as Error
  expect(error.message).toMatch(/^DATABASE_URL: .*ECONNREFUSED/)
  expect(error.message).not.toMatch(/very-secret|\n/)
})

test('a folder that is a file, and a port in use, are reported with their settings', async () => {
  const folder = () => mkdirSync('/dev/null', { recursive: true })
  await expect(attributeToSetting('DATA_DIR', folder)).rejects.toThrow(/^DATA_DIR: EEXIST/)
  const first = createServer().listen(0, '127.0.0.1')
  await once(first, 'listening')
  const { port } = first.address() as { port: number }
  const second = () => once(createServer().listen(port, '127.0.0.1'), 'listening')
  await expect(attributeToSetting('PORT', second)).rejects.toThrow(/^PORT: .*EADDRINUSE/)
  first.close()
})

test('an error that names its setting is unchanged', async () => {
  const error = new Error('DATA_DIR /x is in use by another running service')
  await expect(attributeToSetting('DATA_DIR', () => Promise.reject(error))).rejects.toBe(error)
})
