import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'

const ToastContext = createContext<(words: string) => void>(() => {})

/** Says in a corner that something was done. What went wrong stands where it happened instead. */
export function useToast(): (words: string) => void {
  return useContext(ToastContext)
}

export function Toasts({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<{ id: number; words: string }[]>([])
  const say = useCallback((words: string) => {
    const id = Math.random()
    setToasts((shown) => [...shown.slice(-2), { id, words }])
    setTimeout(() => setToasts((shown) => shown.filter((toast) => toast.id !== id)), 5_000)
  }, [])
  return (
    <ToastContext value={say}>
      {children}
      <div role="status" className="pointer-events-none fixed right-4 bottom-4 z-50 flex flex-col gap-2">
        {toasts.map(({ id, words }) => (
          <p key={id} className="max-w-sm rounded-lg bg-ink px-4 py-2.5 text-sm text-page shadow-lg">
            {words}
          </p>
        ))}
      </div>
    </ToastContext>
  )
}
