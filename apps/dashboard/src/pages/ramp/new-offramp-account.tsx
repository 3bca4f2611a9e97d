import { Select, SimpleGrid, Text, TextInput } from '@mantine/core'
import { useSession } from '../../api/session.tsx'
import { useFields } from '../../lib/forms/use-fields.ts'
import { FormDialog } from '../../parts/forms/form-dialog.tsx'
import { RAILS } from './rails.ts'
import { WalletSelect } from './wallet-select.tsx'

/** A routing number with a right check digit; nobody is paid in the sandbox. */
const TEST_BANK = { routing_number: '021000021', account_number: '000123456789', bank_name: 'First Test Bank' }
const KINDS = [
  { value: 'checking', label: 'Checking' },
  { value: 'savings', label: 'Savings' },
]
const NO_BANK = { routing_number: '', account_number: '', bank_name: '' }

interface Props {
  readonly path: string
  /** Who is paid; your organization if absent. */
  readonly holder?: string | undefined
  readonly onClose: () => void
}

export function NewOfframpAccount({ path, holder, onClose }: Props) {
  const { environment, organization } = useSession()
  const isSandbox = environment === 'sandbox'
  const { fields, bind, choose, mark } = useFields({
    wallet: '',
    asset: 'USDC',
    rail: 'ach',
    ...(isSandbox ? TEST_BANK : NO_BANK),
    account_type: 'checking',
    account_holder_name: holder ?? organization.name,
  })
  const { wallet, asset, rail, routing_number, account_number, account_type, account_holder_name, bank_name } = fields
  const body = {
    org_wallet_id: Number(wallet),
    source_asset: asset,
    rail,
    bank_details: { routing_number, account_number, account_type, account_holder_name, bank_name },
  }
  const ready = [wallet, routing_number, account_number, account_holder_name, bank_name].every((each) => each !== '')
  return (
    <FormDialog
      title="Add a bank account"
      action={{ method: 'POST', path, body }}
      submit="Add"
      done="Bank account added. Tokens sent to its deposit address are paid out."
      ready={ready}
      onRefused={mark}
      onClose={onClose}
    >
      <WalletSelect label="Wallet that pays" {...choose('wallet')} />
      {isSandbox && (
        <Text size="sm" c="dimmed">
          Test details: no bank is paid.
        </Text>
      )}
      <SimpleGrid cols={2}>
        <Select label="Token" data={['USDC', 'USDT']} {...choose('asset')} />
        <Select label="Rail" data={RAILS} {...choose('rail')} />
        <TextInput label="Bank" required {...bind('bank_name')} />
        <TextInput label="Account holder" required {...bind('account_holder_name')} />
        <TextInput label="Routing number" required inputMode="numeric" {...bind('routing_number')} />
        <TextInput label="Account number" required inputMode="numeric" {...bind('account_number')} />
        <Select label="Kind" data={KINDS} {...choose('account_type')} />
      </SimpleGrid>
    </FormDialog>
  )
}
