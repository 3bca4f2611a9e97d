import { Anchor, Code, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { usePaging } from '../../lib/page/use-url.ts'
import { Drawer } from '../../parts/dialogs.tsx'
import { Empty, Loaded, Section } from '../../parts/frame/page.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { bare, DataTable, paged } from '../../parts/tables/data-table.tsx'

const { shown: shownAs, text, time } = columnsFor<Schema<'MailSummary'>>()

const MAILBOX = '/sandbox/mailbox'

export function Mailbox() {
  const paging = usePaging('mailOffset')
  const mails = useApi<Schema<'MailSummary'>[]>(paged(MAILBOX, paging.offset))
  const [shown, setShown] = useState<number>()
  const mail = useApi<Schema<'Mail'>>(shown === undefined ? null : `${MAILBOX}/${shown}`)
  if (mails.error)
    return (
      <Text size="sm" c="dimmed">
        The mailbox is unavailable: it opens only in a browser on the machine of the service, and only while SMTP_URL is
        not set.
      </Text>
    )
  return (
    <Section title="Mailbox" pad={false}>
      <DataTable
        label="Emails"
        path={MAILBOX}
        query={mails}
        rows={bare}
        id={({ id }) => id}
        {...paging}
        onOpen={({ id }) => setShown(id)}
        columns={[
          shownAs('To', ({ to }) => <span className="breaks">{to}</span>, 'to'),
          text('Subject', 'subject'),
          time('When', 'createdAt', { wide: true }),
        ]}
        empty={<Empty title="No email yet">Emails that the service would send appear here.</Empty>}
      />
      <Drawer opened={shown !== undefined} onClose={() => setShown(undefined)} title="Email">
        <Loaded query={mail} height={200}>
          {({ text, subject }) => (
            <Stack>
              <Text fw={600}>{subject}</Text>
              <Code block tabIndex={0} className="curl">
                {text}
              </Code>
              {linksIn(text).map((link) => (
                <Anchor key={link} href={link} size="sm">
                  Open its link
                </Anchor>
              ))}
            </Stack>
          )}
        </Loaded>
      </Drawer>
    </Section>
  )
}

/** Links to this service only: an email is text from others. */
const linksIn = (text: string) =>
  (text.match(/https?:\/\/\S+/g) ?? []).filter((link) => URL.parse(link)?.origin === location.origin)
