import type { IssuedBytes, Operation } from '../../src/operations/index.ts'

/** Bytes issued to agents at least once: from then on they may be signed and sent at any time. */
export interface BytesVersion {
  readonly operation: Operation
  readonly transaction: IssuedBytes['transaction']
  readonly sender: string
  readonly bytes: string
  /** How often they were issued, and to whom last. */
  times: number
  last: string
  leasedUntil: Date
}

/** All bytes issued to agents. */
export class IssuedVersions {
  readonly #versions = new Map<number, BytesVersion[]>()
  readonly #latestLeases = new Map<number, IssuedBytes['lease']>()

  /** All bytes of a transaction, oldest first. */
  of(transactionId: number): readonly BytesVersion[] {
    return this.#versions.get(transactionId) ?? []
  }

  all(): BytesVersion[] {
    return [...this.#versions.values()].flat()
  }

  /** How often bytes of the transaction were issued to any agent. */
  timesOf(transactionId: number): number {
    return this.of(transactionId).reduce((sum, { times }) => sum + times, 0)
  }

  /** Whether this is the token of the transaction's latest lease; false where that may be one that no agent received. */
  isLatestLease(transactionId: number, leaseToken: string): boolean {
    return this.#latestLeases.get(transactionId)?.leaseToken === leaseToken
  }

  /** A poll may have leased something, and its response is lost. */
  loseLease(): void {
    this.#latestLeases.clear()
  }

  add({ operation, transaction, lease }: IssuedBytes, to: string): BytesVersion {
    const { transactionId, sender, unsignedBytes } = transaction
    const versions = this.#versions.get(transactionId) ?? []
    this.#versions.set(transactionId, versions)
    let version = versions.find(({ bytes }) => bytes === unsignedBytes)
    if (!version) {
      version = {
        operation,
        transaction,
        sender,
        bytes: unsignedBytes,
        times: 0,
        last: to,
        leasedUntil: lease.leasedUntil,
      }
      versions.push(version)
    }
    const latest = this.#latestLeases.get(transactionId)
    if (!latest || latest.claimedAt <= lease.claimedAt) this.#latestLeases.set(transactionId, lease)
    version.times += 1
    version.last = to
    version.leasedUntil = lease.leasedUntil
    return version
  }
}
