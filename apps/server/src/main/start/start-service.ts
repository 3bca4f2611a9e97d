import { readFileSync } from 'node:fs'
import { type Config, loadKeyRings, requireDataDirectory } from '../../config.ts'
import { migrationsApplied, startEmbeddedPostgres } from '../../database/index.ts'
import { authenticatorOf, type IdentityParts, seedDemo } from '../../identity/index.ts'
import {
  createLog,
  createSealer,
  type Log,
  recordUnreadable,
  SANDBOX_SETTLE_TIMEOUT_MS,
  systemClock,
  systemRandomSource,
} from '../../kernel/index.ts'
import type { Parts } from '../../operations/index.ts'
import { baseUnitsOf, limitReasonFor } from '../../rebalancing/index.ts'
import { createSandboxAgents, isRegistered, type SandboxParts } from '../../sandbox/index.ts'
import { loadServiceSecrets } from '../../secrets/index.ts'
import {
  buildServer,
  countUnreadable,
  HttpMetrics,
  RESPONSES_PURPOSE,
  registerDatabaseMetrics,
  registerWorkMetrics,
  startMetricsListener,
} from '../../surfaces/http/index.ts'
import { waitUntilSettled } from '../../watch/index.ts'
import { changeSecretsOf } from '../compose/change-secrets.ts'
import { composeMailing } from '../compose/compose-mailing.ts'
import { composeRamp } from '../compose/compose-ramp.ts'
import { createRateLimiter } from '../compose/create-rate-limiter.ts'
import { factorSettings } from '../compose/factor-settings.ts'
import { passwordRules } from '../compose/password-rules.ts'
import { retentionsOf } from '../compose/retentions.ts'
import { ssoConnections } from '../compose/sso-connections.ts'
import { traceService } from '../compose/trace-service.ts'
import { webhookParts } from '../compose/webhook-parts.ts'
import { checkKeys } from '../keys/check-keys.ts'
import { openKeyRings } from '../keys/key-rings.ts'
import { agentHost } from './agent-host.ts'
import { attributeToSetting } from './attribute-to-setting.ts'
import { awaitVenues } from './await-venues.ts'
import { claimChains } from './claim-chains.ts'
import { resolveListenAddress } from './listen-address.ts'
import { explainListenError } from './listen-problem.ts'
import { openServiceDatabase } from './open-service-database.ts'
import { readVenuesFile, seedVenues } from './seed-venues.ts'
import { serveRoutes } from './serve-routes.ts'
import { createShutdownStack, type ShutdownStack } from './shutdown-stack.ts'
import { embeddedBlockchains, startChains } from './start-chains.ts'
import { startRecorders } from './start-recorders.ts'
import { makesProgress, type ServiceWorkers, startWorkers } from './start-workers.ts'
import { readCertificate, reloadCertificate } from './tls-certificate.ts'
import { watchDatabase } from './watch-database.ts'

export interface Service {
  readonly url: string
  /** The path of the sandbox's credentials; `undefined` in live. */
  readonly credentialsFile: string | undefined
  stop(): Promise<void>
}

/** Progress messages of the start, and the reaction to a part that exits unexpectedly. */
export interface ServiceCallbacks {
  readonly say: (line: string) => void
  readonly onFailure: (line: string) => void
}

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** Starts everything in order. If a part fails to start, stops the started ones and throws. */
export async function startService(config: Config, { say, onFailure }: ServiceCallbacks): Promise<Service> {
  const log = createLog(config.logLevel, config.logFormat, config.tracing !== undefined)
  const stack = createShutdownStack()
  const stop = () => stack.unwind((name, error) => log.error({ err: error, part: name }, 'a part did not stop cleanly'))
  try {
    const { url, credentialsFile } = await compose(config, log, { stack, say, onBroken: onFailure })
    return { url, credentialsFile, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

interface ComposeOptions {
  readonly stack: ShutdownStack
  readonly say: (line: string) => void
  readonly onBroken: (line: string) => void
}

async function compose(
  config: Config,
  log: Log,
  { stack, say, onBroken }: ComposeOptions,
): Promise<{ url: string; credentialsFile: string | undefined }> {
  const clock = systemClock
  const tls = config.tls && readCertificate(config.tls)
  const address = await resolveListenAddress(config)
  if (config.environment === 'sandbox') requireDataDirectory(config.dataDir)
  const listedVenues = await readVenuesFile(config)
  const keys = await attributeToSetting('DATA_DIR', () => loadKeyRings(config))

  say(config.databaseUrl ? 'connecting to the database' : 'starting the embedded database')
  const databaseUrl =
    config.databaseUrl ?? (await attributeToSetting('DATA_DIR', () => embeddedDatabase(config, log, stack, onBroken)))
  const pooled = { url: databaseUrl, log, max: config.databasePoolSize }
  const { db, pool } = await openServiceDatabase(pooled, ({ close }) => stack.push('database', close))
  const metrics = new HttpMetrics(db)
  metrics.observeMilestones(db, log)
  const watch = await watchDatabase({
    db,
    log,
    clock,
    demanded: config.databaseSyncStandbys,
    isPeriodic: config.databaseUrl !== undefined,
  })
  stack.push('database watch', () => watch.stop())
  const secrets = await openKeyRings({ db, clock, log }, keys, { kms: config.encryptionKms, mayCreate: true })
  await checkKeys({ db, clock, log, say }, secrets)

  if (config.environment === 'sandbox') {
    const embedded = embeddedBlockchains(config).map((blockchain) => `${blockchain.toUpperCase()}_RPC_URL`)
    await claimChains(databaseUrl, { embedded, stack, onBroken })
  }
  say('starting the chains')
  const started = await startChains(config, {
    clock,
    log,
    isRegistered: (blockchain, of) => isRegistered(db, blockchain, of),
    onExit: onBroken,
    observer: metrics.rpc,
  })
  stack.push('chains', async () => started.embedded?.stop())
  metrics.serves(config.role, started.chains.keys())
  const seeded = await seedVenues({ db, log }, listedVenues, started)
  const venues = awaitVenues({ db, log, chains: started.chains }, seeded)
  stack.push('venues that wait', () => venues.stop())

  const { clocks } = watch
  const { usage, securityEvents, ...recorders } = await startRecorders(config, { db, clock, clocks, log }, stack)
  const { publicUrl } = address
  const mailing = composeMailing({ config, secrets, db, clock, log, random: systemRandomSource, publicUrl })
  if (mailing === undefined) say('no email is sent: set SMTP_URL for password resets and member invitations')
  const parts: Parts & Required<Pick<Parts, 'limitReason'>> & IdentityParts = {
    db,
    clock,
    log,
    clockAgrees: clocks.agrees,
    random: systemRandomSource,
    secrets,
    environment: config.environment,
    usage,
    sessionLimits: config.sessions,
    assignedPasswords: config.assignedPasswords,
    ...passwordRules(config, log),
    quotas: config.quotas,
    dustOf: (decimals) => baseUnitsOf(config.rebalancing.dust, decimals),
    limitReason: limitReasonFor({ db, clock, rebalancing: config.rebalancing }),
    mail: mailing?.queue,
    factors: factorSettings({ config, secrets, random: systemRandomSource, port: address.port }),
    chains: started.chains,
    timeouts: {
      droppedAfterMs: config.droppedAfterSeconds * 1_000,
      inclusionTimeoutMs: config.inclusionTimeoutSeconds * 1_000,
      replaceAfterMs: config.replaceAfterSeconds * 1_000,
    },
  }
  const agents = createSandboxAgents(parts, agentHost(config, address))
  const webhooks = webhookParts(config, secrets, parts)
  const sandbox: SandboxParts | undefined = started.embedded && {
    db,
    clock,
    log,
    sandbox: started.embedded.sandbox,
    runExclusive: started.embedded.runExclusive,
    waitUntilRecorded: async (blockchain, number) => {
      await waitUntilSettled(db, blockchain, number, SANDBOX_SETTLE_TIMEOUT_MS)
    },
  }
  const service = await loadServiceSecrets({ db, clock, random: systemRandomSource }, secrets.encryption)
  stack.push('tracing', traceService(config, { clock, log, version, key: service.blindIndex }))
  const unreadable = countUnreadable(recordUnreadable(log), metrics.registry)
  const changeSecrets = changeSecretsOf({ ...secrets, service }, parts.random, unreadable)
  const changes = { db, clock, ...changeSecrets }
  const ramp = composeRamp(parts, { ...secrets, service, unreadable }, sandbox, config.ramp)
  // The credentials name the address of a process that serves requests.
  const demo =
    sandbox &&
    config.role !== 'worker' &&
    (await seedDemo(parts, { dataDir: config.dataDir, baseUrl: address.publicUrl }))

  let isWorking = config.role === 'api'
  let workers: ServiceWorkers | undefined
  if (config.role !== 'api') {
    say('following the chains')
    const running = startWorkers({
      databaseUrl,
      role: config.role,
      clocks,
      parts,
      changes,
      webhooks,
      rebalancing: config.rebalancing,
      securityEvents,
      retentions: retentionsOf(parts, config),
      auditAnchors: config.auditAnchors,
      ramp: ramp.ramp,
      sandbox,
      mail: mailing?.delivery,
      print: say,
      retentionDays: config.personalDataRetentionDays,
    })
    stack.push('workers', async () => {
      isWorking = false
      await running.stop()
    })
    if (!(await running.firstRound)) say('still catching up with the chains')
    workers = running
    isWorking = true
  }
  const report = workers?.report
  registerDatabaseMetrics(metrics.registry, watch)
  if (workers) registerWorkMetrics(metrics.registry, workers)
  const app = await buildServer(
    {
      tls,
      servesMetrics: config.metrics.isPublic,
      publicUrl: address.publicUrl,
      environment: config.environment,
      version,
      rateLimitMultiplier: config.rateLimitMultiplier,
      organizationRateLimit: config.organizationRateLimit,
      trustedProxies: config.trustedProxies,
      db,
      clock,
      log,
      random: systemRandomSource,
      authenticate: authenticatorOf(parts),
      rateLimiter: await createRateLimiter(config, pool, log),
      securityEvents,
      ...recorders,
      bodySecret: secrets.pepper,
      changes: changeSecrets,
      responseSealer: createSealer(secrets.encryption, RESPONSES_PURPOSE, systemRandomSource),
      warnings: async () => [...(await watch.warnings()), ...venues.warnings()],
      refusesWrites: watch.refusesWrites,
      checks: {
        database: () => migrationsApplied(db),
        ...watch.checks,
        workers: async () => isWorking,
        // A process that also serves requests stays ready: another chain's outage must not end them.
        ...(report && config.role === 'worker' && { progress: async () => makesProgress(report()) }),
      },
      work: report,
      routes: (made) => {
        if (config.role !== 'worker')
          serveRoutes(made, {
            parts,
            changes,
            webhooks,
            sso: ssoConnections(config, secrets, { random: systemRandomSource, publicUrl: address.publicUrl }),
            rebalancing: config.rebalancing,
            ramp,
            sandbox: sandbox && { ...sandbox, agents },
            preview: config.preview,
            registration: config.registration,
            publicUrl: address.publicUrl,
          })
      },
    },
    metrics,
  )
  const { listener: metricsAddress } = config.metrics
  if (metricsAddress) {
    const target = { ...metricsAddress, hostSetting: 'METRICS_HOST', portSetting: 'METRICS_PORT' }
    const listener = await explainListenError(target, () => startMetricsListener(metrics, metricsAddress))
    stack.push('metrics', () => listener.close())
    say(`metrics ${listener.url}`)
  }
  stack.push('server', () => app.close())
  await attributeToSetting('PORT', () => app.listen({ host: address.host, port: address.port }))
  stack.push('sandbox agents', () => agents.stop())
  agents.resume()
  if (config.tls) stack.push('certificate', reloadCertificate(app.server as never, config.tls, { log }))
  return { url: address.publicUrl, credentialsFile: demo ? demo.path : undefined }
}

async function embeddedDatabase(
  config: Config,
  log: Log,
  stack: ShutdownStack,
  onBroken: (line: string) => void,
): Promise<string> {
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log })
  stack.push('embedded database', embedded.stop)
  embedded.onExit(() => onBroken('the embedded database exited unexpectedly'))
  return embedded.url
}
