import type { Logger } from 'pino'
import { createNodes, type Node } from './chains/index.ts'
import { steadyClock, systemClock } from './clock.ts'
import type { Config, SignerConfig } from './config.ts'
import { type Journal, openJournal } from './journal/index.ts'
import { limitsText, usageOf } from './limits/index.ts'
import { createLog } from './log/create-log.ts'
import { createService, type Service } from './service/client.ts'
import { ServiceError } from './service/service-error.ts'
import type { AgentAction } from './service/work.ts'
import { createHttpSigner, createKeystoreSigner, createKmsSigner, type Signer } from './signers/index.ts'
import { createStatus } from './status/status.ts'
import {
  createNonceGaps,
  createOutages,
  createReports,
  createWorkLocks,
  handleAction,
  handleTransaction,
  type Parts,
  pollAndAct,
  rebroadcastUntilDecided,
  type WorkStep,
  warnOfOverprivilegedKey,
  watchApiKey,
} from './work/index.ts'

export interface Agent {
  /** Where /health and /metrics are served. */
  readonly statusUrl: string
  /** Resolves after a stop; rejects on an unexpected failure. */
  readonly ended: Promise<void>
  /** Ends the polls at once and finishes the work in progress. */
  stop(): void
}

/** Composes the parts and starts them. Throws a readable sentence when one of them is unusable. */
export async function startAgent(config: Config, onStep?: (step: WorkStep) => void): Promise<Agent> {
  const log = createLog(config)
  const clock = systemClock
  const dates = steadyClock(clock)
  const journal = openJournal(config.dir, dates)
  const { limits } = config
  const status = createStatus(journal, () => usageOf(limits, journal.counted(), dates.now().getTime()))
  const stopping = new AbortController()
  let upkeep: readonly Promise<void>[] = []
  try {
    requireJournal(journal, config)
    const nodes = createNodes(config.allowList, config.rpcUrls, config.environment, log)
    await Promise.all([...nodes.values()].map((node) => checkIdentity(node, log)))
    const service = createService(config)
    const emit = (step: WorkStep) => {
      status.recordStep(step)
      onStep?.(step)
    }
    const parts: Parts = {
      service,
      signer: await createSigner(config.signer),
      journal,
      reports: createReports({ service, journal, log, emit, clock }),
      locks: createWorkLocks(),
      gaps: createNonceGaps(clock),
      nodes,
      allowList: config.allowList,
      limits,
      approvers: config.approvers,
      environment: config.environment,
      clock,
      log,
      chainOutages: createOutages({ log, clock, away: 'the chain does not respond', back: 'the chain responds again' }),
      holds: createOutages({ log, clock, away: 'not completed; its lease will expire', back: 'resuming held work' }),
      losses: createOutages({ log, clock, away: 'sent again', back: 'a node knows the bytes again', level: 'info' }),
      unknownWallet: config.unknownWallet,
      emit,
    }
    const statusUrl = await status.listen(config)
    // Before the first poll: signed bytes do not wait for the service.
    upkeep = startUpkeep(parts, config, { dates, stopping })
    const watch = watchApiKey({ url: config.url, log, clock })
    let warned: Promise<void> | undefined
    const onPoll: OnPoll = (error) => {
      status.recordPoll(error)
      watch(error)
      // Only a key that is accepted says what it may do.
      if (error === undefined) warned ??= warnOfOverprivilegedKey(parts.service, log)
    }
    const first = await firstAction(parts.service, onPoll)
    await warned
    log.info(
      {
        journalId: journal.id,
        entries: journal.size(),
        limits: limitsText(limits),
        approvers: config.approvers?.approvers.map(({ name }) => name) ?? [],
      },
      'started',
    )
    return run(parts, config, { statusUrl, onPoll, first, close, stopping, upkeep })
  } catch (error) {
    stopping.abort()
    await Promise.allSettled(upkeep)
    await close()
    throw error
  }

  async function close(): Promise<void> {
    await status.close()
    journal.close()
  }
}

/** An endpoint of another chain is a wrong setting. One that is unavailable now may recover, and is asked then. */
async function checkIdentity({ blockchain, identityProblems }: Node, log: Logger): Promise<void> {
  const problems = await identityProblems()
  const other = problems.find(({ isOther }) => isOther)
  if (other !== undefined) throw new Error(other.reason)
  for (const { reason } of problems) log.warn({ blockchain, err: reason }, 'the RPC endpoint is not responding yet')
}

/**
 * A deleted or exchanged journal has no record of what was signed before, so the limits would start again from zero.
 */
function requireJournal({ id }: Journal, { journalId, dir }: Config): void {
  if (journalId === undefined || journalId === id) return
  throw new Error(
    `JOURNAL_ID is ${journalId}, but the journal in ${dir} is ${id}: restore that journal (docs/agent.md)`,
  )
}

type OnPoll = (error: ServiceError | undefined) => void

/** Polls once without waiting, so that the start reports an unusable key. It and an unavailable service are retried. */
async function firstAction(service: Service, onPoll: OnPoll): Promise<AgentAction | null> {
  try {
    const action = await service.pollActions(0, new AbortController().signal)
    onPoll(undefined)
    return action
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    onPoll(error)
    return null
  }
}

interface UpkeepOptions {
  /** The clock of the limits. */
  readonly dates: ReturnType<typeof steadyClock>
  readonly stopping: AbortController
}

/** The clocks may differ by this much without a warning. */
const CLOCK_TOLERANCE_MS = 60_000

/** Keeps signed bytes on their way, each chain by itself. A failure stops everything. */
function startUpkeep(parts: Parts, config: Config, { dates, stopping }: UpkeepOptions): readonly Promise<void>[] {
  const { clock, log } = parts
  let hasWarned = false
  function warnOfClock(): void {
    const aheadMs = clock.now().getTime() - dates.now().getTime()
    if (hasWarned || aheadMs < CLOCK_TOLERANCE_MS) return
    hasWarned = true
    log.warn({ aheadMs }, "the machine's clock jumped forward; limits over time ignore the jump until the next start")
  }
  const options = { everyMs: config.resendMs, stopping: stopping.signal, onRound: warnOfClock }
  const tasks = [...parts.nodes.values()].map((node) => rebroadcastUntilDecided(parts, node, options))
  for (const task of tasks) task.catch(() => stopping.abort())
  return tasks
}

interface RunOptions {
  readonly statusUrl: string
  readonly onPoll: OnPoll
  /** Work that the first poll returned. */
  readonly first: AgentAction | null
  readonly close: () => Promise<void>
  readonly stopping: AbortController
  readonly upkeep: readonly Promise<void>[]
}

function run(parts: Parts, config: Config, options: RunOptions): Agent {
  const { statusUrl, onPoll, first, close, stopping, upkeep } = options
  const { service, clock, emit } = parts
  const { waitMs, concurrency } = config
  const polling = { waitMs, clock, stopping: stopping.signal, onPoll }
  let waiting = first
  const tasks = [
    ...upkeep,
    pollAndAct({
      ...polling,
      concurrency,
      poll: service.pollTransactions,
      async act(transaction) {
        emit('polled')
        await handleTransaction(parts, transaction, stopping.signal)
      },
    }),
    pollAndAct({
      ...polling,
      concurrency: 1,
      async poll(forMs, signal) {
        const action = waiting ?? (await service.pollActions(forMs, signal))
        waiting = null
        return action
      },
      async act(action) {
        emit('action-polled')
        await handleAction(parts, action, stopping.signal)
      },
    }),
  ]
  const stop = () => stopping.abort()
  // A failing loop stops the others, after they finish their work in progress.
  for (const task of tasks) task.catch(stop)
  const ended = Promise.allSettled(tasks).then(async (results) => {
    await close()
    const broken = results.find((result) => result.status === 'rejected')
    if (broken) throw broken.reason
  })
  return { statusUrl, ended, stop }
}

async function createSigner(config: SignerConfig): Promise<Signer> {
  switch (config.kind) {
    case 'keystore': {
      const signer = createKeystoreSigner(config.dir, config.passphrase, config.derivation)
      await signer.checkPassphrase()
      return signer
    }
    case 'http':
      return createHttpSigner({ ...config, clock: systemClock })
    case 'kms':
      return createKmsSigner(config)
  }
}
