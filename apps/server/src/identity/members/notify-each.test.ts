// Also tested elsewhere: marks and emails (operations/approval/notify-of-operations.test.ts).
import { expect, test } from 'vitest'
import { identityFixture } from '../../../testing/identity/identity-fixture.ts'
import { loggedLines } from '../../../testing/logged-lines.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { silentLog } from '../../kernel/index.ts'
import { notifyEach } from './notify-each.ts'

const parts = useFixture(identityFixture)

test('one request that fails is logged and undone, and the others are notified', async () => {
  const { db } = parts
  const errors: unknown[] = []
  const log = { ...silentLog, error: (line: unknown) => errors.push(line) }
  const notified: number[] = []
  const requests = [{ id: 1 }, { id: 2 }, { id: 4 }, { id: 3 }]
  const count = await notifyEach({ db, log: log as never }, requests, async (tx, { id }) => {
    await tx.selectFrom('organizations').select('id').execute()
    if (id === 2) throw new Error('no email')
    if (id === 4) throw Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' })
    notified.push(id)
  })
  expect({ count, notified }).toEqual({ count: 4, notified: [1, 3] })
  expect(errors).toMatchObject([{ request: { id: 2 } }, { request: { id: 4 } }])
})

test('a request whose emails fail each round is logged once, and once when they are queued', async () => {
  const { log, lines, take } = loggedLines()
  let isBroken = true
  const round = () =>
    notifyEach({ db: parts.db, log }, [{ id: 1 }, { id: 2 }], async (_tx, { id }) => {
      if (isBroken && id === 2) throw new Error('no email')
    })
  for (let rounds = 0; rounds < 3; rounds += 1) await round()
  expect(take()).toEqual(['failed to queue emails to approvers'])
  isBroken = false
  for (let rounds = 0; rounds < 2; rounds += 1) await round()
  expect(lines).toMatchObject([{ request: { id: 2 }, failures: 3, msg: 'queued emails to approvers after failures' }])
})
