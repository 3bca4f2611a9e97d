import { Failure, type Log, silentLog } from '../../src/kernel/index.ts'
import type { RampParts } from '../../src/ramp/index.ts'
import { type App, buildServer, createMemoryRateLimiter } from '../../src/surfaces/http/index.ts'
import { rampRoutes } from '../../src/surfaces/v1/index.ts'
import { CHANGE_SECRETS } from '../changes/change-secrets.ts'

/** The ramp's routes over a test's database. An organization's id serves as its key, while `checkKey` throws nothing. */
export async function rampServer(parts: RampParts, log: Log = silentLog, checkKey = () => {}): Promise<App> {
  const app = await buildServer({
    ...parts,
    log,
    publicUrl: 'http://127.0.0.1:3000',
    environment: 'sandbox',
    version: '0.0.0',
    rateLimitMultiplier: 1_000,
    authenticate: {
      key: async (text) => {
        checkKey()
        return {
          kind: 'key',
          organizationId: Number(text),
          keyId: 1,
          scope: 'organization',
          walletProfileId: null,
          permissions: null,
          rateLimitOverrides: {},
        }
      },
      bearer: async () => {
        throw new Failure('UNAUTHORIZED')
      },
    },
    rateLimiter: createMemoryRateLimiter(),
    checks: {},
    bodySecret: 'of a test',
    changes: CHANGE_SECRETS,
    routes: (made) => rampRoutes(made, { ...parts, log }, 'http://127.0.0.1:3000'),
  })
  await app.ready()
  return app
}
