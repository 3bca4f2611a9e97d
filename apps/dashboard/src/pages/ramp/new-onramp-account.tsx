import { Select } from '@mantine/core'
import { useFields } from '../../lib/forms/use-fields.ts'
import { FormDialog } from '../../parts/forms/form-dialog.tsx'
import { WalletSelect } from './wallet-select.tsx'

interface Props {
  readonly path: string
  readonly onClose: () => void
}

export function NewOnrampAccount({ path, onClose }: Props) {
  const { fields, choose, mark } = useFields({ wallet: '', asset: 'USDC' })
  const body = { destination_wallet_id: Number(fields.wallet), destination_asset: fields.asset }
  return (
    <FormDialog
      title="Open an account"
      action={{ method: 'POST', path, body }}
      submit="Open"
      done="Account opened."
      ready={fields.wallet !== ''}
      onRefused={mark}
      onClose={onClose}
    >
      <WalletSelect label="Wallet that receives the tokens" {...choose('wallet')} />
      <Select label="Token" data={['USDC', 'USDT']} {...choose('asset')} />
    </FormDialog>
  )
}
