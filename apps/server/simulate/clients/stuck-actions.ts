import type { EvmRun } from '../evm-run.ts'
import { treasuryOf } from '../treasury/treasury-of.ts'
import { fromUnsigned } from '../world/raw.ts'
import type { Action } from './action.ts'

/** Fees rise for good, and what agents sent before stays behind: its wallet waits until it is replaced. */
export const STUCK: readonly Action<EvmRun>[] = [
  {
    name: 'price out an agent’s transaction',
    weight: 3,
    async act(run, random) {
      const { world } = run
      const issued = new Set(
        treasuryOf(run)
          .issued.all()
          .map(({ sender, bytes }) => {
            const { nonce, to, data } = fromUnsigned(bytes)
            return [sender, nonce, to, data].join(' ')
          }),
      )
      const sent = [...world.mempool.values()].filter(({ sender, nonce, to, data }) =>
        issued.has([sender, nonce, to, data].join(' ')),
      )
      const waiting = random.pick(sent)
      if (!waiting) return
      world.priceOut(waiting)
      run.record(`  ${waiting.hash.slice(0, 10)} with nonce ${waiting.nonce} pays too little for any block`)
    },
  },
]
