import { chmod, mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client as Connection } from 'undici'
import { readConfig } from '../../src/config.ts'
import { authenticatorOf, type IdentityParts, KeyUsage } from '../../src/identity/index.ts'
import { ManualClock, ringOf, silentLog, systemRandomSource } from '../../src/kernel/index.ts'
import { composeMailing } from '../../src/main/compose/compose-mailing.ts'
import { composeRamp } from '../../src/main/compose/compose-ramp.ts'
import { ssoConnections } from '../../src/main/compose/sso-connections.ts'
import { webhookParts } from '../../src/main/compose/webhook-parts.ts'
import { serveRoutes } from '../../src/main/start/serve-routes.ts'
import { startChains } from '../../src/main/start/start-chains.ts'
import type { Parts } from '../../src/operations/index.ts'
import { createSandboxAgents, deleteTreasurySends, isRegistered, type SandboxParts } from '../../src/sandbox/index.ts'
import { buildServer, createMemoryRateLimiter } from '../../src/surfaces/http/index.ts'
import { seedCatalogue } from '../../src/venues/index.ts'
import { createFollower } from '../../src/watch/index.ts'
import { CHANGE_SECRETS } from '../../testing/changes/change-secrets.ts'
import { FACTOR_SETTINGS } from '../../testing/identity/factor-settings.ts'
import { testDatabase } from '../../testing/index.ts'
import { outsideRequests } from '../../testing/organizations/request-in-context.ts'
import { serviceSecrets } from '../../testing/processes/service-secrets.ts'
import { createClient, type HttpClient, type Identity } from '../clients/client.ts'
import { type ChangeTracker, trackChanges } from '../fuzzing/track-changes.ts'
import { type Contract, createContract, type RawResponse } from '../money/contract.ts'

/** A request as sent; `path` includes its query and is already encoded. */
export interface RawRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
}

/**
 * The service in this process: real routes, database and embedded chains, but no background work. Only requests change
 * the database.
 */
export interface InProcessService {
  readonly parts: Parts & IdentityParts
  readonly clock: ManualClock
  readonly contract: Contract
  readonly changes: ChangeTracker
  send(request: RawRequest): Promise<RawResponse>
  as(identity: Identity): HttpClient
  /** Follows all chains to their heads. */
  follow(): Promise<void>
  stop(): Promise<void>
}

export async function startInProcessService(): Promise<InProcessService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'weir-examined-'))
  await chmod(dataDir, 0o711)
  const database = await testDatabase()
  const { db } = database
  const clock = new ManualClock(new Date())
  const log = silentLog
  const config = readConfig({ DATA_DIR: dataDir })
  const { chains, embedded } = await startChains(config, {
    clock,
    log,
    isRegistered: (blockchain, address) => isRegistered(db, blockchain, address),
    onExit: (line) => {
      throw new Error(line)
    },
  })
  if (!embedded) throw new Error('the sandbox has no embedded chains')
  await seedCatalogue(db, embedded.seeds)
  const usage = new KeyUsage({ db, clock, log })
  const secrets = {
    jwt: ringOf('a-secret-of-the-tests-for-access-tokens'),
    pepper: ringOf('a-pepper-of-the-tests'),
  }
  const encryption = ringOf('0e'.repeat(32))
  const mailing = composeMailing({
    config,
    secrets: { encryption },
    db,
    clock,
    log,
    random: systemRandomSource,
    publicUrl: 'http://127.0.0.1:3000',
  })
  const parts = {
    db,
    clock,
    log,
    random: systemRandomSource,
    secrets,
    environment: 'sandbox' as const,
    usage,
    sessionLimits: config.sessions,
    assignedPasswords: config.assignedPasswords,
    mail: mailing?.queue,
    factors: FACTOR_SETTINGS,
    chains,
  }
  const embeddedParts = { ...parts, sandbox: embedded.sandbox, runExclusive: embedded.runExclusive }
  const ramp = composeRamp(parts, { encryption, service: serviceSecrets('0e'.repeat(32)) }, embeddedParts)
  const followers = [...chains.values()].map((chain) =>
    createFollower(parts, chain, {
      isDevelopment: true,
      print: () => {},
      ramp: ramp.ramp,
      onReset: (name) => deleteTreasurySends(parts, name),
    }),
  )
  const { signal } = new AbortController()
  // Several callers may wait at once; each chain has one follower, which runs its rounds sequentially.
  let last: Promise<void> = Promise.resolve()
  const follow = () => {
    last = last
      .catch(() => undefined)
      .then(async () => {
        for (const follower of followers) await follower.round(signal)
      })
    return last
  }
  const sandbox: SandboxParts = { ...embeddedParts, waitUntilRecorded: () => outsideRequests(follow) }

  const webhooks = webhookParts(config, { encryption }, parts)
  // Nothing listens there: a claimed domain is refused at once, without a question to the network.
  const withoutDns = { ...config, dnsServers: ['127.0.0.1:9'] }
  const app = await buildServer({
    ...parts,
    publicUrl: 'http://127.0.0.1:3000',
    version: '0.0.0',
    rateLimitMultiplier: 1_000_000,
    authenticate: authenticatorOf(parts),
    rateLimiter: createMemoryRateLimiter(),
    checks: {},
    bodySecret: 'of a test',
    changes: CHANGE_SECRETS,
    routes: (made) =>
      serveRoutes(made, {
        parts,
        changes: { ...parts, ...CHANGE_SECRETS },
        webhooks,
        sso: ssoConnections(withoutDns, { encryption }, { ...parts, publicUrl: 'http://127.0.0.1:3000' }),
        rebalancing: readConfig({}).rebalancing,
        ramp,
        sandbox: { ...sandbox, agents: createSandboxAgents(parts, 'The service of the tests runs no agents.') },
        publicUrl: 'http://127.0.0.1:3000',
      }),
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  // One connection, one request at a time: a replay of the same requests meets the same rows.
  const url = `http://127.0.0.1:${port}`
  const connection = new Connection(url)

  async function send({ method, path, headers, body }: RawRequest): Promise<RawResponse> {
    const answer = await connection.request({
      method: method as 'GET',
      path,
      headers,
      ...(body !== undefined && { body: body as string }),
    })
    const fields = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)])
    const text = await answer.body.text()
    return { method, path, status: answer.statusCode, headers: new Headers(fields), text, sent: body }
  }

  await follow()
  const document = await send({ method: 'GET', path: '/openapi.json', headers: {} })
  const contract = createContract(JSON.parse(document.text))
  return {
    parts,
    clock,
    contract,
    changes: await trackChanges(db),
    send,
    as: (identity) =>
      createClient(
        () => url,
        () => contract,
        identity,
      ),
    follow,
    async stop() {
      await connection.close()
      await app.close()
      await embedded.stop()
      await usage.flush()
      await database.close()
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
