import { useCallback, useState, type RefCallback } from 'react';

/** True while the element is on the screen: charts elsewhere do not draw. */
export function useOnScreen(): [RefCallback<HTMLElement>, boolean] {
  const [isSeen, setSeen] = useState(false);
  const attach = useCallback((element: HTMLElement | null) => {
    if (!element) return;
    const observer = new IntersectionObserver((entries) => setSeen(entries.at(-1)!.isIntersecting), {
      rootMargin: '120px',
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [attach, isSeen];
}
