import { createTheme, MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { SessionProvider } from './api/session.tsx'
import { queryClient } from './api/use-api.ts'
import { preferences } from './lib/page/preferences.ts'
import { printLight } from './lib/page/print-light.ts'
import { WhenIdle } from './parts/frame/when-idle.tsx'
import { LAYERS } from './parts/layers.ts'
import { Tips } from './parts/tips.tsx'
import { router } from './router.tsx'

printLight()
const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? ''
setNonce(nonce)

const theme = createTheme({
  primaryColor: 'weir',
  primaryShade: { light: 8, dark: 7 },
  autoContrast: true,
  respectReducedMotion: true,
  colors: {
    weir: [
      '#e6f5f4',
      '#cfe9e7',
      '#a6d5d1',
      '#7fc7bf',
      '#63b5ad',
      '#3f9a93',
      '#268079',
      '#136a66',
      '#0b5c5c',
      '#064646',
    ],
    dark: [
      '#d5d9de',
      '#b4bbc4',
      '#98a1ac',
      '#6b7580',
      '#3a434d',
      '#2a323b',
      '#1d242b',
      '#161c22',
      '#11161b',
      '#0c1014',
    ],
  },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  defaultRadius: 'sm',
  headings: { fontWeight: '650' },
  components: {
    // What a notification covers of them is the title.
    Drawer: {
      defaultProps: { position: 'right', size: 'lg', closeButtonProps: { 'aria-label': 'Close' } },
      styles: { header: { minHeight: '4.75rem' } },
    },
    // They begin below a notification.
    Modal: { defaultProps: { yOffset: '4.75rem', closeButtonProps: { 'aria-label': 'Close' } } },
    Notification: { defaultProps: { withBorder: true, closeButtonProps: { 'aria-label': 'Close' } } },
    // An alert interrupts a screen reader; only what goes wrong may do that.
    Alert: { defaultProps: { role: 'note' } },
  },
})

/** Dimmed text and errors keep a contrast of 4.5 to 1 on every background that they have. */
const variables = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5b6570',
    '--mantine-color-placeholder': '#69727d',
    '--mantine-color-error': '#c92a2a',
  },
  dark: {
    '--mantine-color-dimmed': '#a9b2bd',
    '--mantine-color-placeholder': '#98a1ac',
    '--mantine-color-error': '#ff8787',
  },
})

const page = (
  <StrictMode>
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      cssVariablesResolver={variables}
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <SessionProvider>
          <RouterProvider router={router} />
        </SessionProvider>
        <WhenIdle>
          <Notifications position="top-center" zIndex={LAYERS.notifications} />
          <Tips />
        </WhenIdle>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>
)
// As a transition, the first render leaves the main thread every few milliseconds.
startTransition(() => createRoot(document.getElementById('root')!).render(page))
// Where only a format tells the zone, it takes longer than any part of the page: a task of its own, while the session is
// on its way.
setTimeout(preferences)
