import type { AddressInfo } from 'node:net'
import { readConfig } from '../../src/config.ts'
import { authenticatorOf } from '../../src/identity/index.ts'
import { ringOf } from '../../src/kernel/index.ts'
import { composeRamp } from '../../src/main/compose/compose-ramp.ts'
import { ssoConnections } from '../../src/main/compose/sso-connections.ts'
import { webhookParts } from '../../src/main/compose/webhook-parts.ts'
import { limitHeap } from '../../src/main/start/limit-heap.ts'
import { serveRoutes } from '../../src/main/start/serve-routes.ts'
import { buildServer, createMemoryRateLimiter } from '../../src/surfaces/http/index.ts'
import { CHANGE_SECRETS } from '../../testing/changes/change-secrets.ts'
import { serviceSecrets } from '../../testing/processes/service-secrets.ts'
import { connectParts } from '../bench-environment.ts'
import { createMemoryChain } from '../memory-chain.ts'

limitHeap()

/** The service's own server on a database, as `npm start` builds it, except that chains are in memory. */
const { parts } = connectParts(process.argv[2]!, createMemoryChain())
const config = { environment: parts.environment, webhookAllow: undefined, ssoAllow: undefined, dnsServers: undefined }
const encryption = ringOf('0e'.repeat(32))
const publicUrl = 'http://127.0.0.1:3000'
const webhooks = webhookParts(config, { encryption }, parts)
const app = await buildServer({
  ...parts,
  publicUrl,
  version: '0.0.0',
  rateLimitMultiplier: 1_000_000,
  authenticate: authenticatorOf(parts),
  rateLimiter: createMemoryRateLimiter(),
  checks: {},
  bodySecret: 'of the benchmark',
  changes: CHANGE_SECRETS,
  routes: (made) =>
    serveRoutes(made, {
      parts,
      changes: { ...parts, ...CHANGE_SECRETS },
      webhooks,
      sso: ssoConnections(config, { encryption }, { ...parts, publicUrl }),
      rebalancing: readConfig({}).rebalancing,
      ramp: composeRamp(parts, { encryption, service: serviceSecrets('0e'.repeat(32)) }, undefined),
      sandbox: undefined,
      publicUrl,
    }),
})
await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.((app.server.address() as AddressInfo).port)
