import type { Cluster, ClusterBlock } from '../world/cluster.ts'

/** An error response with its JSON-RPC code. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

const MIN_CONTEXT_SLOT_NOT_REACHED = -32_016

/** The cluster as one node knows it: a range of blocks. */
export class View {
  readonly cluster: Cluster
  readonly #head: number
  readonly #keeps: number

  constructor(cluster: Cluster, lag: number, keeps: number) {
    this.cluster = cluster
    this.#head = Math.max(0, cluster.latest.height - lag)
    this.#keeps = keeps
  }

  /** The newest block of a commitment. Throws {@link Refusal} if the node is behind `minContextSlot`. */
  head({ commitment, minContextSlot = 0 }: { commitment?: unknown; minContextSlot?: unknown }): ClusterBlock {
    const { blocks, depth, final } = this.cluster
    const settled = this.#head === this.cluster.latest.height ? final.height : this.#head - depth
    const height = commitment === 'finalized' ? Math.max(0, Math.min(settled, final.height)) : this.#head
    const block = blocks[height]!
    if (block.slot < Number(minContextSlot)) {
      throw new Refusal(MIN_CONTEXT_SLOT_NOT_REACHED, 'Minimum context slot has not been reached')
    }
    return block
  }

  /** Whether the node still has the contents of a block. */
  remembers({ height }: ClusterBlock): boolean {
    return height >= this.first
  }

  /** The height of its oldest block. */
  get first(): number {
    return Math.max(0, this.cluster.latest.height - this.#keeps)
  }

  /** The block that a transaction landed in, up to `upTo`. */
  landedIn(signature: string, upTo: ClusterBlock): ClusterBlock | undefined {
    const block = this.cluster.landedIn(signature)
    return block && block.height <= upTo.height && this.remembers(block) ? block : undefined
  }
}
