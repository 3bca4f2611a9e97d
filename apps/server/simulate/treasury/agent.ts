import { type IssuedBytes, renewLease, reportFailed, reportSubmitted } from '../../src/operations/index.ts'
import { checkFailed, expectHeard } from '../checks/reports.ts'
import type { Random } from '../random.ts'
import type { SimulationRun } from '../simulation-run.ts'
import { Violation } from '../violation.ts'
import type { IssuedVersions } from './issued-versions.ts'

/** A transaction that an agent works on, and its progress. */
export interface AgentWork {
  readonly issued: IssuedBytes
  raw?: string
  hash?: string
  sent?: string
}

/** The treasury that an agent works for. */
export interface AgentEmployer {
  readonly organizationId: number
  /** All bytes ever issued to agents. */
  readonly issued: IssuedVersions
  /** Checks bytes at the moment when they are issued to an agent. */
  readonly checkIssuedBytes: CheckIssuedBytes
  /** How likely an agent reports FAILED instead of signing. */
  readonly signerFailure: number
  /** Whether the agent refuses to sign these bytes. */
  readonly refuses: (issued: IssuedBytes) => boolean
}

export type CheckIssuedBytes = (versions: IssuedVersions, issued: IssuedBytes, to: string) => Promise<void>

/**
 * A custody agent: it polls for work, signs it, sends it through its own node, and reports. It may stall or die between
 * any two of these steps and come back with or without its journal. Time passes while it works.
 */
export class Agent {
  readonly name: string
  readonly #run: SimulationRun
  readonly #treasury: AgentEmployer
  /** Its current work. */
  work: AgentWork | undefined
  /** Earlier work that it could still report on. */
  readonly past: AgentWork[] = []

  constructor(run: SimulationRun, treasury: AgentEmployer, name: string) {
    this.#run = run
    this.#treasury = treasury
    this.name = name
  }

  /** Polls for work once. */
  poll(random: Random): () => Promise<void> {
    const leaseDurationMs = random.pick([1_000, 5_000, 30_000, 60_000])
    const { organizationId } = this.#treasury
    return async () => {
      const { service } = this.#run
      const polled = service.poll({ organizationId, leaseDurationMs, signal: AbortSignal.abort() })
      const issued = await polled.catch((error: unknown) => {
        this.#treasury.issued.loseLease()
        throw error
      })
      if (!issued) return
      const { operation, transaction, lease } = issued
      const { kind, transactionId, nonce } = transaction
      this.#run.record(
        `  ${this.name} has ${kind} ${transactionId} of operation ${operation.operationId} with nonce ${nonce} until ${lease.leasedUntil.toISOString().slice(11, 19)}`,
      )
      this.work = { issued }
      await this.#treasury.checkIssuedBytes(this.#treasury.issued, issued, this.name)
    }
  }

  /** Does its next step. */
  async advance(random: Random): Promise<void> {
    const { work } = this
    if (!work) {
      await this.#run.request(`${this.name} polls`, this.poll(random))
      return
    }
    if (!work.raw) {
      if (random.chance(0.1)) return this.renew(work)
      if (await this.refuse(work, random)) return
      if (random.chance(this.#treasury.signerFailure)) return this.reportFailure(work, random)
      this.sign(work, random.chance(0.5) ? random.int(1_000) : undefined, random.chance(0.05) ? 115n : 100n)
      if (random.chance(0.5)) return
    }
    if (work.sent === undefined) {
      this.send(work, random)
      if (random.chance(0.5)) return
    }
    await this.complete(work, random)
  }

  /** Gives back what it does not sign; false if it signs it. */
  async refuse(work: AgentWork, random: Random): Promise<boolean> {
    if (!this.#treasury.refuses(work.issued)) return false
    await this.reportFailure(work, random, 1)
    this.abandon()
    return true
  }

  sign(work: AgentWork, salt: number | undefined, feePercent = 100n): void {
    const { unsignedBytes, sender } = work.issued.transaction
    Object.assign(work, this.#run.signed(unsignedBytes, sender, { feePercent, salt }))
  }

  /** Sends through its own node, which may lose bytes and responses like any other. */
  send(work: AgentWork, random: Random): void {
    const { faults } = this.#run
    const isLost = random.chance(faults.lostBefore)
    const outcome = isLost ? 'lost' : this.#run.send(work.raw!)
    work.sent = isLost || random.chance(faults.lostAfter) ? 'nobody knows' : outcome
    this.#run.record(`  ${this.name} sends ${work.hash!.slice(0, 10)}: ${outcome}`)
  }

  /** Reports the result: usually the true one, usually once. */
  async complete(work: AgentWork, random: Random): Promise<void> {
    const isWrong = random.chance(0.08)
    if (isWrong || (work.sent !== 'accepted' && work.sent !== 'known' && random.chance(0.3))) {
      await this.reportFailure(work, random)
    } else await this.reportSuccess(work, random)
    if (random.chance(0.1)) await this.reportSuccess(work, random)
    this.abandon()
  }

  /** `withToken`: how likely it names its lease; a healthy agent always does. */
  async reportSuccess(work: AgentWork, random: Random, withToken = 0.8): Promise<void> {
    const { issued, hash } = work
    if (!hash) return
    const { transactionId } = issued.transaction
    const { leaseToken } = issued.lease
    const { organizationId } = this.#treasury
    const input = { organizationId, transactionId, txHash: hash, ...(random.chance(withToken) ? { leaseToken } : {}) }
    const name = `${this.name} reports ${transactionId} SUBMITTED as ${hash.slice(0, 10)}`
    await this.#run.request(name, async () => {
      await reportSubmitted(this.#run.service.parts, input)
    })
  }

  /** `withToken`: as above. */
  async reportFailure(work: AgentWork, random: Random, withToken = 0.6): Promise<void> {
    const { transactionId } = work.issued.transaction
    const { leaseToken } = work.issued.lease
    const { organizationId } = this.#treasury
    const error = random.pick(['the signer refused', 'the node refused', 'no idea'])
    const input = { organizationId, transactionId, error, ...(random.chance(withToken) ? { leaseToken } : {}) }
    const name = `${this.name} reports ${transactionId} FAILED${'leaseToken' in input ? '' : ' without a token'}`
    const check = await checkFailed(this.#run, this.#treasury.issued, work.issued)
    const done = await this.#run.request(name, () =>
      expectHeard(this.#treasury.issued, input, reportFailed(this.#run.service.parts, input)),
    )
    if (done) await check()
  }

  async renew({ issued }: AgentWork): Promise<void> {
    const { transactionId } = issued.transaction
    const { leaseToken } = issued.lease
    const { organizationId } = this.#treasury
    await this.#run.request(`${this.name} renews ${transactionId}`, async () => {
      const input = { organizationId, transactionId, leaseToken, leaseDurationMs: 30_000 }
      const { leasedUntil } = await renewLease(this.#run.service.parts, input)
      const version = this.#treasury.issued
        .of(transactionId)
        .find(({ bytes }) => bytes === issued.transaction.unsignedBytes)
      if (!version) throw new Violation(`transaction ${transactionId} was renewed and never issued`)
      version.leasedUntil = leasedUntil
    })
  }

  /** Drops its current work, on which it may still report. */
  abandon(): void {
    if (this.work) this.past.push(this.work)
    this.work = undefined
  }

  /** Its process dies. With a journal it resumes and signs nothing twice; without one it has lost its state. */
  die(random: Random): void {
    const hasJournal = random.chance(0.5)
    this.#run.record(`  ${this.name} dies, and comes back ${hasJournal ? 'with its journal' : 'without it'}`)
    if (!hasJournal || !this.work?.raw) this.abandon()
    else delete this.work.sent
  }
}
