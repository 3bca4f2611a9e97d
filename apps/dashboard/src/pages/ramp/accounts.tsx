import { Alert, Stack } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { usePaging, useUrl } from '../../lib/page/use-url.ts'
import { paged } from '../../parts/tables/data-table.tsx'
import { NewOfframpAccount } from './new-offramp-account.tsx'
import { NewOnrampAccount } from './new-onramp-account.tsx'
import { OfframpAccounts } from './offramp-accounts.tsx'
import { OnrampAccounts } from './onramp-accounts.tsx'
import { Simulator } from './simulator.tsx'

interface Props {
  /** Whose accounts: `/v1/ramp/org`, or the path of a recipient. */
  readonly owner: string
  /** The name of a recipient. */
  readonly holder?: string
  readonly isVerified: boolean
  /** Why none can be opened yet. */
  readonly unverified: string
  /** After a payment was simulated. */
  readonly onSent: () => void
}

export function Accounts({ owner, holder, isVerified, unverified, onSent }: Props) {
  const may = useMay()
  const [url, setUrl] = useUrl()
  const paths = { in: `${owner}/onramp-accounts`, out: `${owner}/offramp-accounts` }
  const pages = { in: usePaging('inOffset'), out: usePaging('outOffset') }
  const onramp = useApi<Schema<'OnrampAccount'>[]>(paged(paths.in, pages.in.offset))
  const offramp = useApi<Schema<'OfframpAccount'>[]>(paged(paths.out, pages.out.offset))
  const [simulated, setSimulated] = useState<Schema<'OnrampAccount'> | Schema<'OfframpAccount'>>()
  const canOpen = may.administer && isVerified
  const open = (form: 'in' | 'out' | undefined) => () => setUrl({ form })
  return (
    <Stack>
      {!isVerified && <Alert>{unverified}</Alert>}
      <OnrampAccounts
        path={paths.in}
        accounts={onramp}
        paging={pages.in}
        canOpen={canOpen}
        onOpen={open('in')}
        onSimulate={setSimulated}
      />
      <OfframpAccounts
        path={paths.out}
        accounts={offramp}
        paging={pages.out}
        canOpen={canOpen}
        onOpen={open('out')}
        onSimulate={setSimulated}
      />
      {canOpen && url.form === 'in' && <NewOnrampAccount path={paths.in} onClose={open(undefined)} />}
      {canOpen && url.form === 'out' && (
        <NewOfframpAccount path={paths.out} holder={holder} onClose={open(undefined)} />
      )}
      {simulated && (
        <Simulator owner={owner} account={simulated} onSent={onSent} onClose={() => setSimulated(undefined)} />
      )}
    </Stack>
  )
}
