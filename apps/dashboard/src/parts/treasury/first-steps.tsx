import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMay, useSession } from '../../api/session.tsx'

/** The way to a deposit where there is none yet: the form; in the sandbox the five steps, which need no wallet before. */
export function FirstDeposit() {
  const may = useMay()
  const { environment } = useSession()
  if (!may.administer) return null
  if (environment === 'sandbox')
    return (
      <Button component={Link} to={'/app/start' as never} variant="default">
        Deploy test money
      </Button>
    )
  return (
    <Button component={Link} to={'/app/allocations' as never} search={{ form: 'deploy' } as never} variant="default">
      Deploy
    </Button>
  )
}

/** The way to an operational wallet: the form. */
export function FirstWallet() {
  const may = useMay()
  return (
    may.administer && (
      <Button component={Link} to={'/app/wallets' as never} search={{ add: 1 } as never} variant="default">
        Add a wallet
      </Button>
    )
  )
}
