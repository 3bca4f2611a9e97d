import type { ConstructorOptions, Queue, WorkOptions } from 'pg-boss'

/**
 * The queue's settings, as measured: with pg-boss's defaults a job starts half a second late, 20 a second are done,
 * and a killed worker's job stays away for minutes; with these it is 4 ms, 12,000, and 8 s. A test holds them.
 */

/** For the whole queue. It has a schema of its own, so that our tables and its tables never meet. */
export const QUEUE_OPTIONS = {
  schema: 'jobs',
  useListenNotify: true,
  // Jobs of workers that died are looked for this often.
  monitorIntervalSeconds: 2,
  superviseIntervalSeconds: 2,
  // Done jobs are deleted this often; the default of a day would leave millions lying about.
  maintenanceIntervalSeconds: 300,
  // Periodic work is our own (periodic.ts): cron knows no seconds.
  schedule: false,
} as const satisfies ConstructorOptions

/** For each kind of job. A job is only a wake-up: what is to do, and when next, stands in our own rows. */
export const JOB_OPTIONS = {
  notify: true,
  heartbeatSeconds: 10,
  // A wake-up that fails is tried again for about a day, ever more slowly.
  retryLimit: 150,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 600,
  expireInSeconds: 300,
  // How long a finished job can still be looked at.
  deleteAfterSeconds: 3_600,
} as const satisfies Omit<Queue, 'name'>

/** For each worker. Notifications wake it at once; the poll of each second is for those that got lost. */
export const JOB_WORKER_SETTINGS = {
  batchSize: 50,
  localConcurrency: 2,
  burstWhenBatchFull: true,
  notifyPollingIntervalSeconds: 1,
  // pg-boss refuses the line above without this one.
  pollingIntervalSeconds: 1,
} as const satisfies WorkOptions
