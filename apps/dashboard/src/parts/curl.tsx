import { Button, Code, CopyButton, Group, Popover, SegmentedControl, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { asCurl, type SentRequest } from '../api/client.ts'
import { useMay } from '../api/session.tsx'
import { useOpening } from './forms/use-opening.ts'
import { useEscape } from './frame/escape.ts'
import { LAYERS } from './layers.ts'

type Shown = Pick<SentRequest, 'method' | 'path'> & {
  readonly body?: unknown
  /** Besides those of every request. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The request behind a table or a button, to send from a shell or with the client library. Who may not send it sees none. */
export function Curl(props: Shown & { readonly label?: string }) {
  return useMay().send(props.method, props.path) && <GrantedCurl {...props} />
}

function GrantedCurl({ label = 'curl', ...request }: Shown & { readonly label?: string }) {
  const { method, path } = request
  // A person who uses voice control says the visible words, so the name contains the words of the button.
  const name = label === 'curl' ? `Copy ${method} ${path} as curl or SDK` : `${label}: ${method} ${path}`
  const { target, isMounted, opened, setOpened, mount } = useOpening()
  const button = (
    <Button
      ref={target}
      size="compact-xs"
      variant="subtle"
      color="gray"
      aria-label={name}
      aria-haspopup="dialog"
      aria-expanded={opened}
      onClick={isMounted ? () => setOpened(!opened) : mount}
    >
      {label}
    </Button>
  )
  // It closes itself, and the form below stays.
  useEscape(opened, () => {}, LAYERS.popovers)
  if (!isMounted) return button
  return (
    <Popover opened={opened} onChange={setOpened} width={440} position="bottom-end" withArrow trapFocus>
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown>
        <Snippet request={request} />
      </Popover.Dropdown>
    </Popover>
  )
}

/** The same within a popover, which a second one would close: the request unfolds below its button. */
export function UnfoldingCurl({ label, ...request }: Shown & { readonly label: string }) {
  const may = useMay()
  const [opened, setOpened] = useState(false)
  if (!may.send(request.method, request.path)) return null
  return (
    <Stack gap="xs">
      <Group justify="flex-end">
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          aria-label={`${label}: ${request.method} ${request.path}`}
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >
          {label}
        </Button>
      </Group>
      {opened && <Snippet request={request} />}
    </Stack>
  )
}

/** The request to copy, as curl or as a call of the client library. */
export function Snippet({ request }: { readonly request: Shown }) {
  const [language, setLanguage] = useState('curl')
  const sdk = useQuery({
    queryKey: ['sdk', request],
    queryFn: async () => (await import('../lib/requests/sdk-call.ts')).asSdk(request, location.origin) ?? null,
    // A call of the client library takes no header.
    enabled: request.headers === undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const isSdk = language === 'sdk' && sdk.data != null
  const text = isSdk ? (sdk.data ?? '') : asCurl({ ...request, body: request.body }, request.headers)
  return (
    <Stack gap="xs">
      {sdk.data != null && (
        <SegmentedControl
          size="xs"
          aria-label="Language"
          data={[
            { value: 'curl', label: 'curl' },
            { value: 'sdk', label: 'SDK' },
          ]}
          value={language}
          onChange={setLanguage}
        />
      )}
      <Code block tabIndex={0} className="curl">
        {text}
      </Code>
      <Group justify="space-between">
        <Text size="xs" c="dimmed">
          Put your key or token in place of the variable.
        </Text>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button size="compact-xs" onClick={copy} data-autofocus>
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </Group>
    </Stack>
  )
}
