import { useSession } from '../../api/session.tsx'
import { Page, Section } from '../../parts/frame/page.tsx'
import { Facts, words } from '../../parts/values.tsx'
import { AddressProof } from './address-proof.tsx'
import { Factors } from './factors.tsx'
import { Notifications } from './notifications.tsx'
import { Password } from './password.tsx'
import { Sessions } from './sessions.tsx'

export function MyAccount() {
  const { user, organization } = useSession()
  return (
    <Page title="Your account" description={user.email}>
      <Section title="You">
        <Facts
          items={[
            ['Name', user.name ?? '–'],
            ['Email', user.email],
            ['Role', words(user.role)],
            ['Organization', organization.name],
          ]}
        />
        <AddressProof />
      </Section>
      <Password />
      <Factors />
      <Notifications />
      <Sessions />
    </Page>
  )
}
