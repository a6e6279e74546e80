//! Spanish for what the core finds wrong. Each line is a pattern: `{}` stands for anything, and is kept in its order.

/// The Spanish of a reason or a remedy; none if nobody has translated it.
pub fn spanish(english: &str) -> Option<String> {
    PATTERNS.iter().find_map(|(pattern, spanish)| Some(filled(spanish, &gaps(pattern, english)?)))
}

/// What stands in the gaps of a pattern, if the words are of that pattern.
fn gaps<'a>(pattern: &str, words: &'a str) -> Option<Vec<&'a str>> {
    let mut parts = pattern.split("{}");
    let mut rest = words.strip_prefix(parts.next()?)?;
    let mut gaps = Vec::new();
    let mut parts = parts.peekable();
    while let Some(part) = parts.next() {
        // The last part ends the words.
        let at = if parts.peek().is_none() {
            if part.is_empty() { Some(rest.len()) } else { rest.strip_suffix(part).map(str::len) }
        } else {
            rest.find(part)
        }?;
        gaps.push(&rest[..at]);
        rest = &rest[at + part.len()..];
    }
    rest.is_empty().then_some(gaps)
}

fn filled(pattern: &str, gaps: &[&str]) -> String {
    let values: Vec<&dyn std::fmt::Display> = gaps.iter().map(|gap| gap as &dyn std::fmt::Display).collect();
    super::fill(pattern, &values)
}

/// Those with more words of their own stand before those that would fit, too.
const PATTERNS: &[(&str, &str)] = &[
    ("a trunk of no cables", "un troncal sin cables"),
    ("use at least 1, or remove the link", "pon al menos 1, o quita el enlace"),
    ("the link joins switch {} with itself", "el enlace une el conmutador {} consigo mismo"),
    ("join two different switches", "une dos conmutadores distintos"),
    ("there is no switch {}", "no existe el conmutador {}"),
    ("there is no host {}", "no existe el host {}"),
    ("use switch 0 to switch {}", "usa del conmutador 0 al conmutador {}"),
    (
        "{} ports are too few: {} of its hosts found none free",
        "{} puertos son pocos: {} de sus hosts no encuentran ninguno libre",
    ),
    ("give it {} ports, or remove hosts or links", "dale {} puertos, o quita hosts o enlaces"),
    ("the switch has {} ports, counted from 0", "el conmutador tiene {} puertos, contados desde 0"),
    ("switch {} has no port {}", "el conmutador {} no tiene puerto {}"),
    ("port {} of switch {} is already taken by {}", "el puerto {} del conmutador {} ya lo ocupa {}"),
    ("port {} is free", "el puerto {} está libre"),
    ("give the switch more ports", "da más puertos al conmutador"),
    ("the position is off the stage", "la posición está fuera del escenario"),
    ("only one of `x` and `y` is given", "solo se da uno de `x` e `y`"),
    ("give both or none", "da ambos o ninguno"),
    ("the name has {} bytes", "el nombre tiene {} bytes"),
    ("{} is already called `{}`", "{} ya se llama `{}`"),
    ("give each its own name, or none", "da a cada uno su nombre, o ninguno"),
    ("the network is in {} unconnected parts: {}", "la red está en {} partes sin conexión: {}"),
    ("link {} with {}", "enlaza {} con {}"),
    ("no switches", "ningún conmutador"),
    ("{} switches", "{} conmutadores"),
    ("{} hosts", "{} hosts"),
    ("{} links", "{} enlaces"),
    ("{} flows", "{} flujos"),
    ("{} ports", "{} puertos"),
    ("{} pairs", "{} parejas"),
    ("the smallest size {} is above the largest {}", "el tamaño menor {} es mayor que el mayor {}"),
    ("swap them, or make them equal", "intercámbialos, o iguálalos"),
    ("{} is out of range", "{} está fuera de los límites"),
    ("{} is no share", "{} no es una parte"),
    ("the flow stops at {} and starts at {}", "el flujo acaba en {} y empieza en {}"),
    ("stop later than start, or 0 for never", "que acabe después de empezar, o 0 para nunca"),
    ("the wormhole fabric has no service level {}", "la técnica wormhole no tiene nivel de servicio {}"),
    ("use 0, or a fabric with lanes", "usa 0, o una técnica con carriles"),
    (
        "the fabric has {} service levels, none with number {}",
        "hay {} niveles de servicio, ninguno con el número {}",
    ),
    ("use one of them, or add it to fabric.qos.levels", "usa uno de ellos, o añádelo a fabric.qos.levels"),
    ("host {} is listed twice", "el host {} está dos veces en la lista"),
    ("list it once", "ponlo una vez"),
    ("{} needs {} of hosts; the network has {}", "{} necesita {} de hosts; la red tiene {}"),
    (
        "add or remove hosts ({} would do), or choose another pattern",
        "añade o quita hosts (bastarían {}), o elige otro patrón",
    ),
    ("no host has another one within {} switch hops", "ningún host tiene otro a {} saltos"),
    ("use a larger distance", "usa una distancia mayor"),
    ("host {} sends to itself", "el host {} se envía a sí mismo"),
    ("name two different hosts", "nombra dos hosts distintos"),
    ("host {} has a destination already", "el host {} ya tiene destino"),
    ("use another flow for its second destination", "usa otro flujo para su segundo destino"),
    ("a load of {}", "una carga de {}"),
    ("use a number above 0, or remove the flow", "usa un número mayor que 0, o quita el flujo"),
    (
        "each host would offer {} flits per cycle; its channel carries 1",
        "cada host ofrecería {} flits por ciclo; su canal lleva 1",
    ),
    ("each host would offer only {} flits per cycle", "cada host ofrecería solo {} flits por ciclo"),
    ("use at least {}, or a one-shot flow", "usa al menos {}, o un flujo de una vez"),
    (
        "GO is sent at {} flits, not below STOP at {}",
        "el GO se envía a {} flits, no por debajo del STOP a {}",
    ),
    (
        "with a delay of {} cycles, {} flits may arrive after STOP at {}: the buffer of {} overflows",
        "con un retardo de {} ciclos pueden llegar {} flits tras el STOP a {}: el buffer de {} se desborda",
    ),
    (
        "with a delay of {} cycles, a buffer that sends GO at {} flits runs dry before flits arrive again",
        "con un retardo de {} ciclos, un buffer que envía GO a {} flits se vacía antes de que vuelvan a llegar flits",
    ),
    (
        "messages of {} bytes do not fit into the ITB memory of {} bytes",
        "los mensajes de {} bytes no caben en la memoria ITB de {} bytes",
    ),
    (
        "use fabric.itb_memory_bytes of at least {} and some for the route, or shorter messages",
        "usa fabric.itb_memory_bytes de al menos {} y algo más para la ruta, o mensajes más cortos",
    ),
    (
        "use fabric.go_flits of at least {} (below fabric.stop_flits of at least {}, with fabric.buffer_flits of at least {})",
        "usa fabric.go_flits de al menos {} (por debajo de fabric.stop_flits de al menos {}, con fabric.buffer_flits de al menos {})",
    ),
    ("use fabric.buffer_flits of at least {}", "usa fabric.buffer_flits de al menos {}"),
    (
        "the link from `{}` to `{}` has a delay of {} cycles",
        "el enlace de `{}` a `{}` tiene un retardo de {} ciclos",
    ),
    ("not a multiple of the flit", "no es múltiplo del flit"),
    ("use 64 with flits of 8 bytes", "usa 64 con flits de 8 bytes"),
    ("{} ports cannot be halved", "{} puertos no se pueden partir en dos"),
    ("use an even number", "usa un número par"),
    ("{} hosts do not fill switches of {} each", "{} hosts no llenan conmutadores de {} cada uno"),
    ("use a multiple of {}", "usa un múltiplo de {}"),
    (
        "{} free ports per switch do not connect {} switches",
        "{} puertos libres por conmutador no conectan {} conmutadores",
    ),
    ("use {} or more, or fewer hosts per switch", "usa {} o más, o menos hosts por conmutador"),
    (
        "no connected wiring of {} switches with {} links each was found",
        "no se ha encontrado un cableado que conecte {} conmutadores con {} enlaces cada uno",
    ),
    ("use more ports or fewer hosts per switch", "usa más puertos o menos hosts por conmutador"),
    ("this is not JSON: {}", "esto no es JSON: {}"),
    ("this is JSON, but no object", "esto es JSON, pero no un objeto"),
    ("a scenario is one JSON object", "un escenario es un objeto JSON"),
    ("the file has {} bytes", "el archivo tiene {} bytes"),
    ("{} takes no `{}`", "{} no admite `{}`"),
    ("remove it, or change the kind", "quítalo, o cambia la clase"),
    ("add at least {}", "añade al menos {}"),
    ("use at least {}", "usa al menos {}"),
    ("use at most {}", "usa como mucho {}"),
    ("use {} to {}", "usa de {} a {}"),
];

#[cfg(all(test, target_arch = "wasm32"))]
mod tests {
    use super::*;
    use hopscope_core::scenario::Scenario;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn patterns_keep_their_gaps() {
        for (english, spanish) in PATTERNS {
            assert_eq!(english.matches("{}").count(), spanish.matches("{}").count(), "{english}");
        }
        let told = spanish("port 3 of switch 0 is already taken by host 7");
        assert_eq!(told.as_deref(), Some("el puerto 3 del conmutador 0 ya lo ocupa host 7"));
        assert_eq!(spanish("there is no switch 9").as_deref(), Some("no existe el conmutador 9"));
        assert_eq!(spanish("something else"), None);
    }

    /// What people run into while they draw: found by the core itself, told in Spanish.
    #[test]
    fn what_goes_wrong_while_drawing_is_told_in_spanish() {
        let two = r#"{"hopscope":1,"network":{"switches":[{"ports":4},{"ports":4}],"hosts":[{"switch":0},{"switch":1}],"links":[]}}"#;
        let full = r#"{"hopscope":1,"network":{"switches":[{"ports":2}],"hosts":[{"switch":0},{"switch":0},{"switch":0}]}}"#;
        let empty = r#"{"hopscope":1,"network":{"switches":[]}}"#;
        let slow = r#"{"hopscope":1,"network":{"generate":{"kind":"ring","switches":4}},"fabric":{"kind":"wormhole","link_delay_cycles":200}}"#;
        let heavy =
            r#"{"hopscope":1,"network":{"generate":{"kind":"ring","switches":4}},"traffic":[{"load":50}]}"#;
        for text in [two, full, empty, slow, heavy] {
            let scenario = Scenario::read(text).expect("it can be read");
            let problems = scenario.check().expect_err("it cannot run");
            for problem in &problems.0 {
                for words in [&problem.why, &problem.fix] {
                    assert!(words.is_empty() || spanish(words).is_some(), "{words}");
                }
            }
        }
    }
}
