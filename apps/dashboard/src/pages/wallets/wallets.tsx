import { Button, Tabs } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../../api/session.tsx'
import type { Schema } from '../../api/types.ts'
import { numberOf, useUrl } from '../../lib/page/use-url.ts'
import { Drawer } from '../../parts/dialogs.tsx'
import { AsOfField, useAsOf } from '../../parts/forms/as-of-field.tsx'
import { Page } from '../../parts/frame/page.tsx'
import { BalancesAt } from '../../parts/treasury/balances-at.tsx'
import { AddWallet } from './add-wallet.tsx'
import { Addresses } from './addresses.tsx'
import { OperationalWallets } from './operational.tsx'
import { WITHOUT_LEDGER } from './wallet-ledger.tsx'
import { WalletPanel } from './wallet-panel.tsx'

/** The tables have filters of their own. */
const WITHOUT_FILTER = { offset: undefined, q: undefined, chain: undefined, token: undefined, below: undefined }

export function Wallets() {
  const [url, setUrl] = useUrl()
  const may = useMay()
  const day = useAsOf()
  /** The address that becomes operational; true: one that is chosen in the form. */
  const [adding, setAdding] = useState<Schema<'OrgWallet'> | boolean>(url.add !== undefined)
  const open = numberOf(url.open)
  return (
    <Page
      hasFilters
      title="Wallets"
      description="Each operational wallet keeps its buffer liquid; the rest earns"
      actions={
        <>
          <AsOfField />
          {may.administer && <Button onClick={() => setAdding(true)}>Add a wallet</Button>}
        </>
      }
    >
      {day === undefined ? (
        <Tabs
          value={url.tab === 'all' ? 'all' : 'operational'}
          onChange={(next) => setUrl({ ...WITHOUT_FILTER, tab: next === 'all' ? 'all' : undefined })}
          keepMounted={false}
        >
          <Tabs.List mb="md">
            <Tabs.Tab value="operational">Operational</Tabs.Tab>
            <Tabs.Tab value="all">All addresses</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="operational">
            <OperationalWallets onAdd={() => setAdding(true)} />
          </Tabs.Panel>
          <Tabs.Panel value="all">
            <Addresses onAdd={setAdding} />
          </Tabs.Panel>
        </Tabs>
      ) : (
        <BalancesAt day={day} />
      )}
      {adding !== false && (
        <AddWallet
          first={adding === true ? undefined : adding}
          onClose={() => {
            setAdding(false)
            if (url.add !== undefined) setUrl({ add: undefined })
          }}
        />
      )}
      <Drawer
        opened={open !== undefined}
        onClose={() =>
          setUrl({ open: undefined, positionsOffset: undefined, exitsOffset: undefined, ...WITHOUT_LEDGER })
        }
        title="Operational wallet"
        size="xl"
      >
        {open !== undefined && <WalletPanel key={open} id={open} />}
      </Drawer>
    </Page>
  )
}
