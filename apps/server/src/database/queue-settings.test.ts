import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../../testing/index.ts'
import { silentLog } from '../kernel/index.ts'
import { createQueue } from './queue.ts'
import { JOB_OPTIONS, JOB_WORKER_SETTINGS, QUEUE_OPTIONS } from './queue-settings.ts'

test('the queue uses the settings that were measured to be fast and to survive a killed worker', () => {
  expect(QUEUE_OPTIONS).toMatchObject({ useListenNotify: true, monitorIntervalSeconds: 2, superviseIntervalSeconds: 2 })
  expect(JOB_OPTIONS).toMatchObject({ notify: true, heartbeatSeconds: 10, retryBackoff: true })
  expect(JOB_WORKER_SETTINGS).toEqual({
    batchSize: 50,
    localConcurrency: 2,
    burstWhenBatchFull: true,
    notifyPollingIntervalSeconds: 1,
    pollingIntervalSeconds: 1,
  })
})

test('a job type created by an older build takes the settings of this one', async () => {
  const { db, url, close } = await testDatabase()
  const queue = createQueue({ databaseUrl: url, log: silentLog })
  await queue.start()
  await queue.work('old', async () => undefined)
  await sql`update jobs.queue set notify = false, retry_limit = 1, heartbeat_seconds = null`.execute(db)
  const next = createQueue({ databaseUrl: url, log: silentLog })
  await next.start()
  await next.work('old', async () => undefined)
  const { rows } = await sql`select notify, retry_limit, heartbeat_seconds from jobs.queue where name = 'old'`.execute(
    db,
  )
  expect(rows).toEqual([{ notify: true, retry_limit: JOB_OPTIONS.retryLimit, heartbeat_seconds: 10 }])
  await Promise.all([queue.stop(), next.stop()])
  await close()
})
