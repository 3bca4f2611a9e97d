import { expect, test } from 'vitest'
import { emptyDatabase } from '../../../testing/index.ts'
import { migrationsApplied, openDatabase } from '../../database/index.ts'
import { silentLog } from '../../kernel/index.ts'
import { migrateDatabase } from './migrate-command.ts'

test('brings an empty database to this version, and a second run finds nothing to do', async () => {
  const { url, drop } = await emptyDatabase()
  try {
    for (let run = 0; run < 2; run += 1) {
      const lines: string[] = []
      await migrateDatabase({ DATABASE_URL: url, LOG_LEVEL: 'silent' }, [], (line) => lines.push(line))
      expect(lines).toEqual(['the database is at this version'])
    }
    const { db, close } = openDatabase({ url, log: silentLog, max: 1 })
    expect(await migrationsApplied(db).finally(close)).toBe(true)
  } finally {
    await drop()
  }
})

test('refuses arguments, and to run without DATABASE_URL', async () => {
  await expect(migrateDatabase({}, ['--force'], () => {})).rejects.toThrow('takes no arguments')
  await expect(migrateDatabase({}, [], () => {})).rejects.toMatchObject({
    problems: [expect.stringContaining('DATABASE_URL')],
  })
})
