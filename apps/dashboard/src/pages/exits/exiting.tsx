import { WALLET_STATS } from '../../api/paths.ts'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { isZero } from '../../lib/money/money.ts'
import { Money } from '../../parts/values.tsx'

/** What was requested back and is not claimed, beside what is in positions. */
export function Exiting() {
  const exiting = useApi<Schema<'WalletStats'>>(WALLET_STATS).data?.data.exitingBalance
  if (exiting === undefined || isZero(exiting)) return ' '
  return (
    <>
      and <Money amount={exiting} /> in exits
    </>
  )
}
